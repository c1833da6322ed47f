"""Device memory of a program's own, as a mend writes it: one more parameter of a kernel, allocated and freed by who launches it."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.launcher import AXES, extents_of_indices
from regrapht.propose.form.program import Edit, Program, calls_of, top_of_code
from regrapht.propose.form.scopes import statement_around
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_FILL = "fill_scratch"
_FILLS = (
    f"template <class T>\n__global__ void {_FILL}(T* at, long long count, T value) {{\n"
    "    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n    if (i < count) at[i] = value;\n}"
)
_PLAIN = re.compile(r"\w+(?:\.\w+)?")


@dataclass(frozen=True, slots=True)
class Scratch:
    """Memory that a kernel is handed as its parameter `name`."""

    name: str
    element: str
    count: str
    """Elements, in the names of the function that launches."""
    fill: str | None
    """What each element is at first; None where nobody asks."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of a kernel."""

    call: "Node"
    arguments: tuple["Node", ...]
    within: FunctionDefinition

    def in_its_names(self, text: str, kernel: FunctionDefinition) -> str:
        """An expression of the kernel's parameters with what the launch hands over for them."""
        handed = {one.name: text_of(given) for one, given in zip(kernel.parameters, self.arguments, strict=False)}
        return re.sub(r"(?<![\w.])[A-Za-z_]\w*", lambda found: operand(handed.get(found[0], found[0])), text)


def launches_of(kernel: str, program: Program) -> list[Launch]:
    """The launches of a kernel, in the text's order."""
    return [
        Launch(call, arguments, function)
        for function in program.unit.functions
        for called, call, arguments in calls_of(function.body)
        if called.partition("<")[0] == kernel and any(one.type == "kernel_call_syntax" for one in call.children)
    ]


def allocated(scratch: Scratch, launches: list[Launch], program: Program) -> list[Edit]:
    """Edits that allocate the memory before the first of the launches, which one function does, and free it after the last.

    Nothing that is handed the memory is launched where there is none; the runtime keeps the error for who asks.
    """
    within = launches[0].within
    first, last = (statement_around(launches[at].call, within.body) for at in (0, -1))
    name, element, count = scratch.name, scratch.element, operand(scratch.count)
    size = f"sizeof({element}) * {count}"
    with_it = f"if (cudaMallocAsync(&{name}, {size}, 0) == cudaSuccess)"
    lines = [f"{element}* {name} = nullptr;", f"cudaMallocAsync(&{name}, {size}, 0);"]
    edits = []
    if scratch.fill is not None and re.fullmatch(r"[-+]?0+(?:\.0*)?[fFuUlL]*|false", scratch.fill):
        lines[1] = f"{with_it} cudaMemsetAsync({name}, 0, {size}, 0);"
    elif scratch.fill is not None:
        value = scratch.fill if scratch.fill.startswith(f"{element}{{") else f"static_cast<{element}>({scratch.fill})"
        lines[1] = f"{with_it} {_FILL}<<<(unsigned int)(({count} + 255) / 256), 256>>>({name}, {count}, {value});"
        if _FILL not in program.text:
            top = top_of_code(program)
            edits.append(Edit(top, top, f"\n\n{_FILLS}\n"))
    made = "".join(f"{line}\n    " for line in lines)
    guards = [edit for launch in launches for edit in _where_there_is(name, launch)]
    made += "".join(edit.text for edit in guards if edit.start == first.start_byte)  # in this order, whatever the texts
    freed = "".join(edit.text for edit in guards if edit.start == last.end_byte) + f"\n    cudaFreeAsync({name}, 0);"
    return [
        *edits,
        *(edit for edit in guards if edit.start not in (first.start_byte, last.end_byte)),
        Edit(first.start_byte, first.start_byte, made),
        Edit(last.end_byte, last.end_byte, freed),
    ]


def _where_there_is(name: str, launch: Launch) -> list[Edit]:
    """Edits that make a launch one for which there must be the memory; none where it is a part of something else than a statement."""
    statement = launch.call.parent
    if statement is None or statement.type != "expression_statement" or statement.parent is None:
        return []
    has_else = statement.parent.child_by_field_name("alternative") is not None  # it would be another's
    start = Edit(statement.start_byte, statement.start_byte, f"{'{ ' if has_else else ''}if ({name} != nullptr) ")
    return [start, Edit(statement.end_byte, statement.end_byte, " }")] if has_else else [start]


def handed(name: str, element: str, kernel: FunctionDefinition, launches: list[Launch]) -> list[Edit] | None:
    """Edits that give a kernel one more parameter, and its launches the argument for it; None where one has not all arguments."""
    listed = next((node for node in walk(kernel.node) if node.type == "parameter_list"), None)
    if listed is None or any(len(one.arguments) != len(kernel.parameters) for one in launches):
        return None
    between = ", " if kernel.parameters else ""
    edits = [Edit(listed.end_byte - 1, listed.end_byte - 1, f"{between}{element}* {name}")]
    for one in launches:
        end = one.call.end_byte - 1
        edits.append(Edit(end, end, f"{between}{name}"))
    return edits


def place_among_threads(kernel: FunctionDefinition) -> tuple[str, str] | None:
    """The thread's number among all that have work, and how many these are, in the kernel's names; None where that cannot be told."""
    extents = extents_of_indices(kernel)
    if not extents or len(extents) > len(AXES) or any(one is None for one in extents.values()):
        return None
    number = ""
    for name, extent in reversed(extents.items()):
        number = f"({number} * {operand(extent or '')} + {name})" if number else f"(long long){name}"
    return number, "(long long)" + " * ".join(operand(one or "") for one in extents.values())


def operand(text: str) -> str:
    """The text as it can stand in a product."""
    return text if _PLAIN.fullmatch(text) else f"({text})"
