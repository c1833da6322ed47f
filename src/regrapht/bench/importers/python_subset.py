"""A small part of Python, interpreted over named sizes and tensors that are C++ text: what a module's file needs, without executing it.

Assignments, returns, arithmetic, calls of torch's known functions and layers. Anything else is `Untranslatable`, in the line's own words.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from regrapht.bench.importers.symbolic import Dim, Program, Tensor, Untranslatable, plain_name, text_of
from regrapht.bench.importers.torch_functions import FUNCTIONS, MATH, METHODS, elementwise
from regrapht.bench.importers.torch_modules import LAYERS
from regrapht.bench.importers.torch_views import transpose

_NUMBERS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv, ast.Pow: operator.pow, ast.Mod: operator.mod,
}  # fmt: skip
_TENSORS = {ast.Add: "({} + {})", ast.Sub: "({} - {})", ast.Mult: "({} * {})", ast.Div: "({} / {})"}
_RANDOM_SCALAR = object()
"""`torch.rand(())`: a factor that only says how inputs are spread."""


class RawInput:
    """An input before `forward` names it: what `get_inputs` draws."""

    def __init__(
        self,
        shape: tuple[int, ...],
        kind: str = "normal",
        dtype: str = "float32",
        values: tuple[int | str, ...] = (),
        *,
        uniform: bool = False,
    ) -> None:
        self.shape, self.kind, self.dtype, self.values = shape, kind, dtype, values
        self.half: str | None = None
        self.uniform = uniform  # from [0, 1), as `torch.rand` draws it, and not spread further


@dataclass(frozen=True, slots=True)
class _Name:
    """A dotted name of torch or math, or a bound method of a tensor."""

    path: str
    tensor: Tensor | None = None


class ModelSelf:
    """`self`, with the attributes that `__init__` sets."""

    def __init__(self) -> None:
        self.attributes: dict[str, object] = {}


class Interpreter:
    """Statements and expressions of one file."""

    def __init__(self, program: Program, tree: ast.Module, *, sizes: set[str] | None) -> None:
        self.program = program
        self.globals: dict[str, object] = {
            "range": range,
            "tuple": tuple,
            "list": list,
            "len": len,
            "float": float,
            "int": int,
        }
        self.constants: dict[str, int] = {}
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._import(node)
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                self.globals[name] = self._constant(name, self.value(node.value, {}), sizes)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            path = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
            bound = alias.asname or (path.split(".")[0] if isinstance(node, ast.Import) else alias.name)
            self.globals[bound] = _Name(path if alias.asname or isinstance(node, ast.ImportFrom) else bound)

    def _constant(self, name: str, value: object, sizes: set[str] | None) -> object:
        """A constant under its own name where it is a size; the numbers of a tuple are sizes of their own."""
        name = plain_name(name)
        if isinstance(value, int) and not isinstance(value, bool):
            self.constants[name] = int(value)
            return Dim(int(value), name) if sizes is None or name in sizes else int(value)
        if (
            isinstance(value, tuple)
            and value
            and all(isinstance(one, int) and not isinstance(one, bool) for one in value)
        ):
            return tuple(
                one if isinstance(one, Dim) else self._constant(f"{name}_{i}", one, sizes)
                for i, one in enumerate(value)
            )
        return value

    def call(self, function: ast.FunctionDef, positional: list[Any], named: dict[str, Any]) -> Any:
        """What a function of the file returns."""
        names = [argument.arg for argument in function.args.args]
        if len(positional) > len(names) or function.args.vararg or function.args.kwarg:
            raise Untranslatable(f"the arguments of {function.name}", kind="form")
        scope = dict(zip(names, positional, strict=False))
        for name, default in zip(reversed(names), reversed(function.args.defaults), strict=False):
            if name not in scope:
                scope[name] = self.value(default, {})
        scope.update(named)
        if missing := [name for name in names if name not in scope]:
            raise Untranslatable(f"{function.name} gets no {missing[0]!r}", kind="form")
        for statement in function.body:
            match statement:
                case ast.Return(value=None):
                    return None
                case ast.Return(value=ast.expr() as value):
                    return self.value(value, scope)
                case ast.Assign(targets=[target]):
                    self._assign(target, self.value(statement.value, scope), scope)
                case ast.Expr(value=ast.Constant()):
                    continue  # a docstring
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"))))):
                    continue
                case ast.Pass():
                    continue
                case _:
                    raise Untranslatable(
                        f"the statement `{ast.unparse(statement).splitlines()[0][:80]}`", kind="statement"
                    )
        return None

    def _assign(self, target: ast.expr, value: Any, scope: dict[str, Any]) -> None:
        match target:
            case ast.Name(id=name):
                scope[name] = value
            case ast.Tuple(elts=parts) if isinstance(value, tuple | list) and len(parts) == len(value):
                for part, one in zip(parts, value, strict=True):
                    self._assign(part, one, scope)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                scope["self"].attributes[name] = value(self.program, name) if isinstance(value, _Layer) else value
            case _:
                raise Untranslatable(f"the assignment to `{ast.unparse(target)}`", kind="statement")

    def value(self, node: ast.expr, scope: Mapping[str, Any]) -> Any:
        """What an expression is."""
        match node:
            case ast.Constant(value=constant):
                return constant
            case ast.Name(id=name):
                found = scope.get(name, self.globals.get(name))
                if found is None and name not in scope:
                    raise Untranslatable(f"the name {name!r}")
                return found
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple(self._spread(parts, scope)) if isinstance(node, ast.Tuple) else self._spread(parts, scope)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.value(operand, scope)
                return elementwise("(-{})".format, inner) if isinstance(inner, Tensor) else -inner
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self.value(left, scope), self.value(right, scope), node)
            case ast.Attribute(value=inner, attr=name):
                return self._attribute(self.value(inner, scope), name, node)
            case ast.Subscript(value=inner, slice=index):
                whole, at = self.value(inner, scope), self.value(index, scope)
                if not isinstance(whole, tuple | list) or not isinstance(at, int):
                    raise Untranslatable(f"`{ast.unparse(node)}`")
                return whole[at]
            case ast.Call(func=function, args=args, keywords=keywords):
                named = {keyword.arg: self.value(keyword.value, scope) for keyword in keywords if keyword.arg}
                return self._call(self.value(function, scope), self._spread(args, scope), named, node)
        raise Untranslatable(f"`{ast.unparse(node)[:80]}`", kind="statement")

    def _spread(self, parts: list[ast.expr], scope: Mapping[str, Any]) -> list[Any]:
        values: list[Any] = []
        for part in parts:
            if isinstance(part, ast.Starred):
                values += self.value(part.value, scope)
            else:
                values.append(self.value(part, scope))
        return values

    def _operation(self, op: ast.operator, left: Any, right: Any, node: ast.expr) -> Any:
        if isinstance(left, RawInput) or isinstance(right, RawInput):
            return self._respread(op, left, right, node)
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            if isinstance(op, ast.Pow) and isinstance(left, Tensor):
                return FUNCTIONS["torch.pow"](self.program, left, right)
            if type(op) not in _TENSORS:
                raise Untranslatable(f"`{ast.unparse(node)}`")
            return elementwise(_TENSORS[type(op)].format, left, right)
        if type(op) not in _NUMBERS:
            raise Untranslatable(f"`{ast.unparse(node)}`")
        return _NUMBERS[type(op)](left, right)

    def _respread(self, op: ast.operator, left: Any, right: Any, node: ast.expr) -> RawInput:
        """A drawn input times a number or plus one is still a drawn input; how it is spread is ours to say."""
        raw, other = (left, right) if isinstance(left, RawInput) else (right, left)
        plain = other is _RANDOM_SCALAR or (isinstance(other, int | float) and not isinstance(other, Dim))
        if not plain or not isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            raise Untranslatable(
                f"inputs made by `{ast.unparse(node)}`: the task format has no draw of that kind", kind="inputs"
            )
        if raw.kind == "integers" and raw.values == (0, 2) and isinstance(op, ast.Mult) and other == 2:
            return RawInput(raw.shape, "doubled")
        if raw.kind == "doubled":
            if not (isinstance(op, ast.Sub) and other == 1 and raw is left):
                raise Untranslatable(f"inputs made by `{ast.unparse(node)}`", kind="inputs")
            return RawInput(raw.shape, "choice", "float32", (-1, 1))
        spread = copy(raw)
        spread.uniform = False
        return spread

    def _attribute(self, value: Any, name: str, node: ast.expr) -> Any:
        if isinstance(value, ModelSelf):
            if name not in value.attributes:
                raise Untranslatable(f"self.{name}, which __init__ does not set")
            return value.attributes[name]
        if isinstance(value, _Name) and value.tensor is None:
            path = f"{value.path}.{name}"
            return MATH[path] if path in MATH else _Name(path)
        if isinstance(value, Tensor):
            if name == "shape":
                return value.shape
            return (
                transpose(self.program, value, -2, -1)
                if name in ("T", "mT") and value.rank == 2
                else _Name(name, value)
            )
        if isinstance(value, RawInput):
            if name == "shape":
                return value.shape
            return lambda *_, **__: self._of_raw(value, name, node)
        raise Untranslatable(f"`{ast.unparse(node)[:80]}`")

    def _of_raw(self, raw: RawInput, name: str, node: ast.expr) -> RawInput:
        """What `get_inputs` does to a drawn tensor."""
        if name == "bool" and raw.values == (0, 2):
            return RawInput(raw.shape, "choice", "uint8", (0, 1))
        if name == "float":
            return raw
        raise Untranslatable(
            f"inputs made by `{ast.unparse(node)}`: the task format has no draw of that kind", kind="inputs"
        )

    def _call(self, function: Any, args: list[Any], named: dict[str, Any], node: ast.expr) -> Any:
        if isinstance(function, _Name) and function.tensor is not None:
            if function.path not in METHODS:
                raise Untranslatable(f"the method {function.path!r} of a tensor")
            return self.apply(METHODS[function.path], function.path, [self.program, function.tensor, *args], named)
        if isinstance(function, _Name):
            return self._named(function.path, args, named, node)
        if any(isinstance(one, Dim) for one in args) and function in (*MATH.values(), float, int):
            raise Untranslatable(f"`{ast.unparse(node)}`, a number that follows from a size")
        if callable(function):
            return self.apply(function, ast.unparse(node), args, named)
        raise Untranslatable(f"`{ast.unparse(node)[:80]}`")

    def _named(self, path: str, args: list[Any], named: dict[str, Any], node: ast.expr) -> Any:
        if path in ("torch.rand", "torch.randn"):
            shape = tuple(args[0]) if args and isinstance(args[0], tuple | list) else tuple(args)
            return RawInput(shape, uniform=path == "torch.rand") if shape else _RANDOM_SCALAR
        if path == "torch.randint":
            return RawInput(
                tuple(args[2]),
                "integers",
                "int32",
                (args[0], text_of(args[1]) if isinstance(args[1], Dim) else args[1]),
            )
        if path in ("torch.triu", "torch.tril") and len(args) == 1 and isinstance(args[0], RawInput):
            args[0].half = path.removeprefix("torch.")
            return args[0]
        if path in FUNCTIONS:
            return self.apply(FUNCTIONS[path], path, [self.program, *args], named)
        if path in LAYERS:
            return _Layer(path, args, named, self)
        raise Untranslatable(f"{path}")

    def apply(self, function: Callable[..., Any], what: str, args: list[Any], named: dict[str, Any]) -> Any:
        """Call a translation; what it does not take is untranslatable."""
        named = {{"input": "x"}.get(name, name): value for name, value in named.items()}
        try:
            return function(*args, **named)
        except TypeError as error:
            raise Untranslatable(f"{what} called with other arguments than are known ({error})") from error


class _Layer:
    """A layer that gets its name when it is stored in `self`."""

    def __init__(self, path: str, args: list[Any], named: dict[str, Any], interpreter: Interpreter) -> None:
        self.path, self.args, self.named, self.interpreter = path, args, named, interpreter

    def __call__(self, program: Program, name: str) -> Callable[..., Tensor]:
        return self.interpreter.apply(LAYERS[self.path], self.path, [program, name, *self.args], self.named)
