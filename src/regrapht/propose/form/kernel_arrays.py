"""Arrays in kernels of a length known at run time alone, `float row[width];`, `std::vector<int> seen(n);`: memory of which each has a part.

    float row[width];   ->   float* row = row_of_threads + (long long)y * width;

The launcher, which hands the memory over, has to know the length: it is made of the kernel's parameters, by way of its own locals perhaps.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.launcher import extents_of_indices
from regrapht.propose.form.program import Edit, Program
from regrapht.propose.form.reference_arrays import OF_THREADS, declared_arrays
from regrapht.propose.form.reference_helpers import helpers_of
from regrapht.propose.form.reference_locals import file_names, locals_of
from regrapht.propose.form.scopes import declaration_of, declared_names, seen_from
from regrapht.propose.form.scratch import Scratch, allocated, handed, launches_of, operand, place_among_threads
from regrapht.propose.form.scratch_arrays import local_array, part_of_threads, without_methods
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_ARRAY = re.compile(r"(?P<element>[\w: ]+?) (?P<name>\w+) ?\[(?P<length>[^][]+)\]( ?= ?\{ ?0? ?\}| ?\{ ?\})?")
_LENGTH = re.compile(r"[\w\s+\-*/%()]+")
_MOST = 8


@dataclass(frozen=True, slots=True)
class _Array:
    name: str
    element: str
    length: str
    fill: str | None
    node: "Node"
    is_plain: bool
    """Whether it is declared as C does, with brackets."""


def with_memory_for_arrays_of_threads(program: Program) -> str | None:
    """The text whose kernels have memory for such arrays, or no declaration of those that they do not use; None where none is there."""
    if not program.task.contract.may_allocate:
        return None
    changed: str | None = None
    for _ in range(_MOST):
        edits = next((made for kernel in program.kernels if (made := _next(kernel, program))), None)
        if edits is None:
            break
        changed = program.edited(edits)
        program = Program(changed, program.task)
    return changed


def _next(kernel: FunctionDefinition, program: Program) -> list[Edit] | None:
    """Edits for the first such array of a kernel for which something can be done."""
    constants = file_names(program) | helpers_of(program.task).keys()
    for one in _arrays(kernel, program.unit.aliases):
        length = _resolved(one.length, one.node, kernel, constants | locals_of(program.task).keys())
        if length is None or (one.is_plain and _is_constant(one, kernel, constants)):
            continue
        uses = [node for node in walk(kernel.body) if node.type == "identifier" and text_of(node) == one.name]
        if len(uses) == 1:
            return [Edit(one.node.start_byte, one.node.end_byte, "")]
        methods = without_methods(one.name, one.length, kernel.body)
        if _names(length) <= constants:
            text = local_array(one.name, one.element, length, one.fill).rstrip()
            return [Edit(one.node.start_byte, one.node.end_byte, text), *methods]
        edits = _memory(one, length, kernel, program)
        if edits is not None:
            return [*edits, *methods]
    return None


def _arrays(kernel: FunctionDefinition, aliases: Mapping[str, str]) -> Iterator[_Array]:
    for node in walk(kernel.body):
        text = " ".join(text_of(node).rstrip("; \n").split()) if node.type == "declaration" else ""
        if not text or text.startswith(("__shared__", "extern", "static", "const", "typedef")):
            continue
        if (plain := _ARRAY.fullmatch(text)) is not None:
            yield _Array(plain["name"], plain["element"], plain["length"], "0" if plain[4] else None, node, True)
            continue
        found = list(declared_arrays(text, aliases))
        if len(found) == 1 and len(declared_names(node)) <= 1:
            yield _Array(*found[0], node, False)


def _memory(one: _Array, length: str, kernel: FunctionDefinition, program: Program) -> list[Edit] | None:
    launches, place = launches_of(kernel.name, program), place_among_threads(kernel)
    memory = one.name + OF_THREADS
    is_there = any(parameter.name == memory for parameter in kernel.parameters)
    if (
        not launches
        or place is None
        or is_there
        or not extents_of_indices(kernel).keys() <= seen_from(one.node, kernel)
    ):
        return None
    number, threads = place
    edits = handed(memory, one.element, kernel, launches)
    if edits is None or any(launch.within.node != launches[0].within.node for launch in launches):
        return None
    count = launches[0].in_its_names(f"{threads} * {operand(length)}", kernel)
    text = part_of_threads(one.name, one.element, length, number)
    if one.fill is not None:
        text += f"\n    for (long long k = 0; k < {length}; ++k) {one.name}[k] = {one.fill};"
    edits += allocated(Scratch(memory, one.element, count, None), launches, program)
    return [*edits, Edit(one.node.start_byte, one.node.end_byte, text)]


def _is_constant(one: _Array, kernel: FunctionDefinition, constants: set[str]) -> bool:
    """Whether the length is a constant where it is declared: `const int n = 9;` of the kernel counts, `int n = 9;` does not."""
    waiting = [one.length]
    for _ in range(4):
        own = {name for length in waiting for name in _names(length)} - constants
        declared = [declaration_of(name, one.node, kernel) for name in own]
        if not all(node is not None and text_of(node).startswith(("const", "static const")) for node in declared):
            return False
        waiting = [_value(name, node) or "" for name, node in zip(own, declared, strict=True)]
    return not any(map(_names, waiting))


def _resolved(length: str, at: "Node", kernel: FunctionDefinition, constants: set[str]) -> str | None:
    """The length without locals of the kernel; None where it hangs on more than numbers, parameters and constants."""
    parameters = {one.name for one in kernel.parameters if not one.pointer_depth}
    for _ in range(4):
        own = _names(length) - parameters - constants
        if not own:
            return length if _LENGTH.fullmatch(length) else None
        for name in own:
            value = _value(name, declaration_of(name, at, kernel))
            if value is None:
                return None
            length = re.sub(rf"(?<![\w.]){name}\b", operand(value), length)
    return None


def _value(name: str, declaration: "Node | None") -> str | None:
    """What a declaration gives a name at first."""
    for one in declaration.children_by_field_name("declarator") if declaration is not None else ():
        named, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")
        if named is not None and value is not None and text_of(named) == name:
            return text_of(value)
    return None


def _names(expression: str) -> set[str]:
    return set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", expression)) - {"int", "long", "unsigned", "size_t", "int64_t"}
