"""A nest that adds to elements that data choose, every thread to copies of its own in device memory.

Atomics would add floats in another order in each call. Here a thread takes every so many points in order, and what the threads have is
added up in one fixed order. The copies of one element lie side by side, so that neighbouring threads use neighbouring memory.
"""

from dataclasses import replace

from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.linear import code_of_points, points_of
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.scatter import count_of
from regrapht.transform.codegen.whole_reduction import Target, targets_of
from regrapht.transform.codegen.writer import Scratch
from regrapht.transform.ir.expressions import Element, place_name
from regrapht.transform.ir.statements import Update
from regrapht.transform.polyhedral.loop_tree import READ

_MOST_COPIES, _ROOM = 32768, 1 << 23
"""Threads that have copies at most, and elements that all copies together have at most; a single copy may have more."""
_LEAST_POINTS = 16
"""Points that a thread takes before there is another one."""
_COPIES = f"""// How many copies of so many elements there is room for.
inline long long @NAME@(long long elements) {{
    const long long copies = elements > 0 ? {_ROOM} / elements : {_MOST_COPIES};
    return copies < 1 ? 1 : copies < {_MOST_COPIES} ? copies : {_MOST_COPIES};
}}"""


def write_own_copies(nest: NestWriter) -> list[str]:
    """Lines that launch the threads with copies, and for each array the kernel that adds them up."""
    writer, points, targets = nest.writer, points_of(nest), targets_of(nest)
    function, copies, number = (writer.fresh(name) for name in ("copies_of", "copies", "copy"))
    writer.functions[function] = _COPIES.replace("@NAME@", function)
    room = f"{function}({' + '.join(_length(nest, t) for t in targets)})"
    for t in targets:
        length = _length(nest, t)
        count = length if length.isdigit() else f"({length} > 0 ? {length} : 1)"
        writer.scratch[t.parts] = Scratch(t.type, f"size_t({count} * {room})")
    threads = nest.schedule.threads
    wanted = f"((long long)({points.total}) - 1) / {_LEAST_POINTS} + 1"
    lines = [f"const int {number} = blockIdx.x * {threads} + threadIdx.x;", f"if ({number} >= {copies}) return;"]
    for t in targets:
        cell = writer.fresh("cell")
        neutral = arithmetic.identity(t.operator, t.type)
        lines += [_each(nest, t, cell), f"{_part(nest, t, cell)} = {neutral};", "}"]
    lines += _turns(nest, points, targets)
    grid = f"({copies} - 1) / {threads} + 1"
    launches = writer.kernel("copies", lines, nest.launch(grid, nest.schedule.block, condition=None, counts=(copies,)))
    finish = [line for t in targets for line in _added(nest, t)]
    count = f"const int {copies} = (int)min({wanted}, {room});"
    return [f"if ({nest.condition}) {{" if nest.condition else "{", count, *launches, *finish, "}"]


def _part(nest: NestWriter, target: Target, cell: str) -> str:
    """A thread's own copy of an element."""
    copies, number = nest.writer.fresh("copies"), nest.writer.fresh("copy")
    return f"{target.parts}[(long long){operand(cell)} * {copies} + {number}]"


def _each(nest: NestWriter, target: Target, cell: str) -> str:
    return f"for (long long {cell} = 0; {cell} < {_length(nest, target)}; ++{cell}) {{"


def _length(nest: NestWriter, target: Target) -> str:
    """How many elements an array has, as a number or a text of 64 bits."""
    text = count_of(nest.writer, target.array)
    return text if text.isdigit() else operand(text.removeprefix("size_t(").removesuffix(")"))


def _turns(nest: NestWriter, points: Points, targets: list[Target]) -> list[str]:
    """The loop over a thread's points, with updates of the targets sent to its copies."""
    known = {target.array: target for target in targets}

    def update(statement: Update, printer: Printer) -> str | None:
        target = known.get(place_name(statement.target))
        if target is None:
            return None
        assert isinstance(statement.target, Element)
        flat = printer.element(statement.target).removeprefix(target.array)[1:-1]
        return arithmetic.update(
            _part(nest, target, flat), statement.operator, printer.expression(statement.value), target.type
        )

    copies, number, name = nest.writer.fresh("copies"), nest.writer.fresh("copy"), points.name
    head = f"for ({points.type} {name} = {number}; {name} < {points.end}; {name} += {copies}) {{"
    return [head, *points.coordinates(name), *code_of_points(nest, points, replace(nest.printer(), update=update)), "}"]


def _added(nest: NestWriter, target: Target) -> list[str]:
    """The kernel that adds up what the copies have of each element, a block an element."""
    writer, threads = nest.writer, 256
    copies, cell, number = (writer.fresh(name) for name in ("copies", "cell", "copy"))
    function = writer.block_function(target.operator, target.type, threads, shuffle=False)
    own = next(one for one in nest.nest.updates if place_name(one.target) == target.array)
    lines = [
        f"const long long {cell} = blockIdx.x;",
        f"{target.type} {target.part} = {arithmetic.identity(target.operator, target.type)};",
        f"for (int {number} = threadIdx.x; {number} < {copies}; {number} += {threads}) {{",
        arithmetic.update(target.part, target.operator, _part(nest, target, cell), target.type),
        "}",
        f"{target.part} = {function}({target.part});",
        "if (threadIdx.x == 0) {",
        arithmetic.combined_last(f"{target.array}[{cell}]", own.target, target.part, nest.nest.updates, target.type),
        "}",
    ]
    written = frozenset(access.array for access in nest.nest.accesses if access.kind != READ)
    length = _length(nest, target)
    condition = None if length.isdigit() else f"{length} > 0"
    launch = nest.launch(length, (threads,), condition=condition, counts=(copies,), written=written)
    return writer.kernel("added", lines, launch)
