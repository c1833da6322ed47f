"""Arrays of the reference's that kernels name as if they were there: `gain[i]` of a `std::vector` that its entry declares.

    __global__ void smooth_kernel(int n, float* out) { ... gain[i] ...  ->  __global__ void smooth_kernel(int n, float* out, float* gain) {
    smooth_kernel<<<grid, block>>>(n, out);                             ->  smooth_kernel<<<grid, block>>>(n, out, gain);

An array that each turn of a thread's loop has to itself is for each thread a part of such memory, or, where its length is constant,
an array of its own.
"""

import re
from typing import TYPE_CHECKING

from regrapht.propose.form.launcher import extents_of_indices
from regrapht.propose.form.program import Edit, Program, calls_of
from regrapht.propose.form.reference_arrays import OF_THREADS, ReferenceArray, arrays_of, memory_names
from regrapht.propose.form.reference_helpers import helpers_of
from regrapht.propose.form.reference_indices import indices_of
from regrapht.propose.form.reference_locals import file_names, locals_of
from regrapht.propose.form.scopes import blocks_around, seen_from, statement_around, unbound
from regrapht.propose.form.scratch import Launch, Scratch, allocated, handed, launches_of, operand, place_among_threads
from regrapht.records.task import Task
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_CONSTANT = re.compile(r"(?:\d+|k[A-Z]\w*|[A-Z][A-Z0-9_]*)(?:\s*[-+*]\s*(?:\d+|k[A-Z]\w*|[A-Z][A-Z0-9_]*))*")
"""A length of numbers and names that are written as constants."""
_MOST = 12


def with_scratch_for_the_references_arrays(program: Program) -> str | None:
    """The text whose kernels have each such array, allocated by who launches them; None where none is missing."""
    offered = arrays_of(program.task)
    changed: str | None = None
    for _ in range(_MOST if offered else 0):
        edits = _for_a_kernel(program, offered) or _for_a_launch(program, offered) or _without_methods(program, offered)
        if not edits:
            break
        changed = program.edited(edits)
        program = Program(changed, program.task)
    return changed


def with_all_arrays(text: str, task: Task, *, before: str, only: set[str] | None = None) -> str:
    """The text of one kernel, given all of the reference's arrays, or `only` some; their lines stand in front of the comment `before`."""
    for array in arrays_of(task).values():
        if only is not None and array.name not in only:
            continue
        program = Program(text, task)
        (kernel,) = program.kernels
        at = next(node for node in walk(kernel.body) if node.type == "comment" and text_of(node) == before)
        edits = _given(array, kernel, at, [], program) or []
        if any(array.name in edit.text and edit.start < kernel.body.start_byte for edit in edits) and len(edits) == 1:
            note = f"// {array.name}: {array.length} elements, {_first(array)}, the same for all threads.\n    "
            edits.append(Edit(at.start_byte, at.start_byte, note))
        text = program.edited(edits)
    return text


def _first(array: ReferenceArray) -> str:
    return f"{array.fill} at first" if array.fill is not None else "without a value at first"


def _for_a_kernel(program: Program, offered: dict[str, ReferenceArray]) -> list[Edit] | None:
    """Edits for the first kernel that uses an array which it does not have."""
    for kernel in program.kernels:
        for name, use in unbound(offered.keys() - file_names(program), kernel).items():
            edits = _given(offered[name], kernel, use, launches_of(kernel.name, program), program)
            if edits:
                return edits
    return None


def _given(
    array: ReferenceArray, kernel: FunctionDefinition, use: "Node", launches: list[Launch], program: Program
) -> list[Edit] | None:
    if not array.turns_of or not set(array.turns_of) & (
        extents_of_indices(kernel).keys() | indices_of(kernel, program.task).keys()
    ):
        return handed(array.name, array.element, kernel, launches)
    if (at := _where_it_can_stand(array, use, kernel, program)) is None:
        return None
    if is_constant(array.length):
        return [Edit(at, at, local_array(array.name, array.element, array.length, array.fill))]
    place = place_among_threads(kernel)
    memory = handed(array.name + OF_THREADS, array.element, kernel, launches) if place is not None else None
    if place is None or memory is None:
        return None
    return [*memory, Edit(at, at, f"{part_of_threads(array.name, array.element, array.length, place[0])}\n    ")]


def _where_it_can_stand(array: ReferenceArray, use: "Node", kernel: FunctionDefinition, program: Program) -> int | None:
    """The first byte of the outermost statement around the use that sees the thread's numbers and what the length is made of."""
    known = file_names(program) | helpers_of(program.task).keys() | locals_of(program.task).keys()
    wanted = (array.needs | extents_of_indices(kernel).keys()) - known
    for block in blocks_around(use, kernel):
        at = statement_around(use, block) if use.parent != block else use
        if wanted <= seen_from(at, kernel):
            return at.start_byte
    return None


def _for_a_launch(program: Program, offered: dict[str, ReferenceArray]) -> list[Edit] | None:
    """Edits for the first launch that hands over an array which the function around it does not have."""
    names = memory_names(program.task) - file_names(program)
    for kernel in program.kernels:
        for one in launches_of(kernel.name, program):
            missing = unbound(names & set(map(text_of, one.arguments)), one.within)
            for name in missing:
                scratch = _scratch(
                    name, offered[name.removesuffix(OF_THREADS) if name not in offered else name], kernel, one
                )
                if scratch is not None:
                    all_of_it = [
                        launch
                        for other in program.kernels
                        for launch in launches_of(other.name, program)
                        if launch.within.node == one.within.node and name in map(text_of, launch.arguments)
                    ]
                    return allocated(scratch, sorted(all_of_it, key=lambda launch: launch.call.start_byte), program)
    return None


def _scratch(name: str, array: ReferenceArray, kernel: FunctionDefinition, launch: Launch) -> Scratch | None:
    if name == array.name:
        return Scratch(name, array.element, array.length, array.fill)
    place = place_among_threads(kernel)
    if place is None:
        return None
    return Scratch(
        name, array.element, f"{launch.in_its_names(place[1], kernel)} * {operand(array.length)}", array.fill
    )


def _without_methods(program: Program, offered: dict[str, ReferenceArray]) -> list[Edit]:
    """Edits that write what `gain.size()`, `gain.begin()` come to in kernels: there the array is a pointer."""
    edits = []
    for kernel in program.kernels:
        mine = {name: array for name, array in offered.items() if name not in unbound({name}, kernel)}
        edits += [edit for array in mine.values() for edit in without_methods(array.name, array.length, kernel.body)]
    return edits


def without_methods(name: str, length: str, body: "Node") -> list[Edit]:
    """Edits that write what a vector's methods come to where the name is a pointer."""
    edits = []
    for called, call, arguments in calls_of(body):
        given = [text_of(one) for one in arguments]
        of, _, method = called.rpartition(".")
        meant = _of_method(method, name, operand(length), given) if of == name else None
        if meant is not None:
            edits.append(Edit(call.start_byte, call.end_byte, meant))
    return edits


def _of_method(method: str, name: str, length: str, given: list[str]) -> str | None:
    """What a method of a vector comes to; None for those that change its length."""
    if given:
        value = ", ".join(given)
        if method == "assign" and len(given) == 2:
            return f"std::fill({name}, {name} + {operand(given[0])}, {given[1]})"
        return {"at": f"{name}[{value}]", "swap": f"std::swap({name}, {value})"}.get(method)
    end = f"({name} + {length})"
    ends = {"begin": name, "cbegin": name, "data": name, "end": end, "cend": end}
    return (ends | {"size": f"(int){length}", "front": f"{name}[0]", "back": f"{name}[{length} - 1]"}).get(method)


def is_constant(length: str) -> bool:
    """Whether a length is made of numbers and names that are written as constants."""
    return _CONSTANT.fullmatch(length) is not None


def local_array(name: str, element: str, length: str, fill: str | None) -> str:
    """The lines of an array of a thread's own whose length is constant, with what its elements are at first."""
    text = f"{element} {name}[{length}];\n    "
    return text + (f"for (int k = 0; k < {length}; ++k) {name}[k] = {fill};\n    " if fill is not None else "")


def part_of_threads(name: str, element: str, length: str, number: str) -> str:
    """The declaration of a thread's own part of the memory of all."""
    return f"{element}* {name} = {name}{OF_THREADS} + {number} * {operand(length)};"
