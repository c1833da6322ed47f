"""One KernelBench file as loops, without torch: constants, `get_inputs`, `get_init_inputs` and the class `Model` are read, none is run."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import partial

from regrapht.bench.importers.python_subset import Interpreter, ModelSelf, RawInput
from regrapht.bench.importers.symbolic import Drawn, Indices, Program, Tensor, Untranslatable, names_in, plain_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Translated:
    """A model as loops: what it takes and what it gives."""

    program: Program
    output: Tensor
    inputs: tuple[str | Drawn, ...]
    """Of `forward`, in order: a drawn array, or the name of a number."""
    sizes: dict[str, int]
    """Name -> the value in the source."""


class ModelFile:
    """One file of the source.

    Raises:
        Untranslatable: It does not parse, or lacks `Model`, `get_inputs` or `get_init_inputs`.
    """

    def __init__(self, text: str) -> None:
        try:
            self.tree = ast.parse(text)
        except SyntaxError as error:
            raise Untranslatable(f"it is not Python: {error}", kind="form") from error
        self.functions = {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}
        classes = [node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name == "Model"]
        self.methods = {m.name: m for m in classes[0].body if isinstance(m, ast.FunctionDef)} if classes else {}
        for name, known in (
            ("forward", self.methods),
            ("get_inputs", self.functions),
            ("get_init_inputs", self.functions),
        ):
            if name not in known:
                raise Untranslatable(f"it defines no {name}", kind="form")

    def translate(self) -> Translated:
        """The model as loops over the sizes that its input shapes are made of.

        Raises:
            Untranslatable: Something in it is not known.
        """
        program = Program()
        every = Interpreter(program, self.tree, sizes=None)
        shapes = [
            value.shape for value in every.call(self.functions["get_inputs"], [], {}) if isinstance(value, RawInput)
        ]
        sizes = set().union(*(names_in(extent) for shape in shapes for extent in shape)) if shapes else set()
        run = Interpreter(program, self.tree, sizes=sizes)
        given = run.call(self.functions["get_inputs"], [], {})
        me = ModelSelf()
        if "__init__" in self.methods:
            run.call(self.methods["__init__"], [me, *run.call(self.functions["get_init_inputs"], [], {})], {})
        drawn_before = list(program.drawn)  # parameters of layers come after the inputs of forward
        program.drawn.clear()
        inputs, arguments = self._arguments(given, program)
        program.drawn += drawn_before
        output = run.call(self.methods["forward"], [me, *arguments], {})
        if not isinstance(output, Tensor):
            raise Untranslatable("forward returns something other than one tensor", kind="interface")
        used = set().union(*(names_in(extent) for one in program.drawn for extent in one.shape))
        return Translated(
            program=program,
            output=output,
            inputs=inputs,
            sizes={name: value for name, value in run.constants.items() if name in used},
        )

    def _arguments(self, given: object, program: Program) -> tuple[tuple[str | Drawn, ...], list[object]]:
        names = [argument.arg for argument in self.methods["forward"].args.args][1:]
        if not isinstance(given, list | tuple) or len(given) > len(names):
            raise Untranslatable("get_inputs returns no list that fits forward", kind="form")
        inputs: list[str | Drawn] = []
        arguments: list[object] = []
        for name, value in zip(map(plain_name, names), given, strict=False):
            if isinstance(value, RawInput):
                drawn = Drawn(
                    name=name,
                    shape=value.shape,
                    dtype=value.dtype,
                    kind=value.kind,
                    values=value.values,
                    half=value.half,
                    uniform=value.uniform,
                )
                inputs.append(drawn)
                arguments.append(program.draw(drawn))
            elif isinstance(value, float):
                inputs.append(name)
                arguments.append(Tensor(shape=(), element=partial(_read, name)))
            else:
                raise Untranslatable(f"its input {name!r} is neither a drawn tensor nor a float", kind="interface")
        return tuple(inputs), arguments


def _read(name: str, _: Indices) -> str:
    return name
