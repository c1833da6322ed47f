"""A nest whose iterations meet only in fixed elements: partial results, combined in a block or not, then finished.

Of a small array every thread has a copy, and what is left of each element is finished by a thread, or a block, of its own.
"""

from dataclasses import dataclass, replace

from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.linear import points_of, strided
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.printer import Printer, UpdateHook, element_text
from regrapht.transform.codegen.serial import scalar_lines
from regrapht.transform.codegen.writer import Scratch
from regrapht.transform.ir.expressions import Element, Expression, place_name
from regrapht.transform.ir.scalar_types import is_float
from regrapht.transform.ir.statements import Update
from regrapht.transform.plan.private_copies import MOST_IN_REGISTERS
from regrapht.transform.plan.schedule import Combine, Finish
from regrapht.transform.polyhedral.loop_tree import READ


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One reduced value: where it goes, its operator and type, the names of a thread's part and of the array of parts.

    Or as many values as an array has, `length`, with one of the places; 0: a single one.
    """

    array: str
    place: Expression
    operator: str
    type: str
    part: str
    parts: str
    length: int = 0


def write_reduction(nest: NestWriter) -> list[str]:
    """Lines that launch the reduction and, where parts are left, the kernel that finishes it."""
    targets, schedule, writer = targets_of(nest), nest.schedule, nest.writer
    points = points_of(nest)
    printer = replace(nest.printer(), update=update_of_parts(targets))
    lines = [line for t in targets for line in _start(nest, t)]
    lines += strided(nest, points, printer)
    if schedule.combine is not Combine.NONE:
        shuffle = schedule.combine is Combine.SHUFFLE
        for t in targets:
            function = writer.block_function(t.operator, t.type, schedule.threads, shuffle=shuffle)
            part, _ = _element(nest, t)
            lines += _each(nest, t, f"{part} = {function}({part});")
    blocks = writer.fresh("blocks")
    count = f"const int {blocks} = {points.blocks_at_most(schedule.threads, schedule.grid_stride)};"
    one_a_block = schedule.combine is not Combine.NONE
    if schedule.finish is Finish.ATOMIC:
        updates = [arithmetic.atomic(nest.printer().expression(t.place), t.operator, t.part, t.type) for t in targets]
        lines += ["if (threadIdx.x == 0) {", *updates, "}"] if one_a_block else updates
        launches = writer.kernel("reduce", lines, nest.launch(blocks, schedule.block, condition=None))
        return _guarded(nest, [count, *launches])
    slot = "blockIdx.x" if one_a_block else f"blockIdx.x * {schedule.threads} + threadIdx.x"
    most = schedule.grid_stride * (1 if one_a_block else schedule.threads)
    stores: list[str] = []
    for t in targets:
        part, number = _element(nest, t)
        stores += _each(nest, t, f"{t.parts}[{f'{number} * {most} + ' if t.length else ''}{slot}] = {part};")
    lines += ["if (threadIdx.x == 0) {", *stores, "}"] if one_a_block else stores
    for t in targets:
        writer.scratch[t.parts] = Scratch(t.type, str(most * max(t.length, 1)))
    launches = writer.kernel("partial", lines, nest.launch(blocks, schedule.block, condition=None))
    left = blocks if one_a_block else f"{blocks} * {schedule.threads}"
    return _finished(nest, targets, [count, *launches], left)


def _start(nest: NestWriter, target: Target) -> list[str]:
    """The declaration of a thread's part, which holds nothing yet."""
    neutral, (part, _) = arithmetic.identity(target.operator, target.type), _element(nest, target)
    if not target.length:
        return [f"{target.type} {part} = {neutral};"]
    return [f"{target.type} {target.part}[{target.length}];", *_each(nest, target, f"{part} = {neutral};")]


def _element(nest: NestWriter, target: Target) -> tuple[str, str]:
    """A thread's part of a value, and the number that the value has in its array, inside of `_each`."""
    if not target.length:
        return target.part, "0"
    number = nest.writer.fresh("element")
    return f"{target.part}[{number}]", number


def _each(nest: NestWriter, target: Target, line: str) -> list[str]:
    """A line for the single value, or for each of an array: unrolled where registers can then hold a thread's part of it."""
    if not target.length:
        return [line]
    number = _element(nest, target)[1]
    unroll = ["#pragma unroll"] if target.length <= MOST_IN_REGISTERS else []
    return [*unroll, f"for (int {number} = 0; {number} < {target.length}; ++{number}) {{", line, "}"]


def targets_of(nest: NestWriter) -> list[Target]:
    """What a whole-nest reduction updates, with the names of a thread's part and of all parts."""
    scop, fresh, number = nest.writer.scop, nest.writer.fresh, nest.nest.number
    places = nest.nest.target_places
    return [
        Target(
            array=name,
            place=places[name],
            operator=operator,
            type=scop.element_type(name),
            part=fresh(f"{name}_part"),
            parts=fresh(f"{name}_parts_{number}"),
            length=nest.nest.copies.get(name, 0),
        )
        for name, operator in nest.nest.targets.items()
    ]


def update_of_parts(targets: list[Target]) -> UpdateHook:
    """The hook that sends updates of the targets to this thread's parts."""
    by_place = {target.place: target for target in targets if not target.length}
    copies = {target.array: target for target in targets if target.length}

    def update(statement: Update, printer: Printer) -> str | None:
        target = by_place.get(statement.target) or copies.get(place_name(statement.target))
        if target is None:
            return None
        part = target.part
        if target.length:
            assert isinstance(statement.target, Element)
            renamed = {**printer.renamed, target.array: target.part}
            part = replace(printer, renamed=renamed).element(statement.target)
        return arithmetic.update(part, statement.operator, printer.expression(statement.value), target.type)

    return update


def _guarded(nest: NestWriter, lines: list[str]) -> list[str]:
    return [f"if ({nest.condition}) {{" if nest.condition else "{", *lines, "}"]


def _finished(nest: NestWriter, targets: list[Target], partial: list[str], left: str) -> list[str]:
    """Lines that launch both kernels; the second also where there is nothing to reduce, if it runs statements beside the nest."""
    count = nest.writer.fresh("parts_left")
    if nest.nest.copies:
        single = [target for target in targets if not target.length]
        finish = _finish(nest, single, count, [], []) if single else []
        finish += [line for target in targets if target.length for line in _finish_array(nest, target, count)]
        return _guarded(nest, [*partial, f"const int {count} = {left};", *finish])
    before, after = (scalar_lines(code, nest.writer) if code else [] for code in (nest.before, nest.after))
    if not nest.condition or not (before or after):
        return _guarded(nest, [*partial, f"const int {count} = {left};", *_finish(nest, targets, count, before, after)])
    finish = _finish(nest, targets, count, before, after, may_be_empty=True)
    return ["{", f"int {count} = 0;", f"if ({nest.condition}) {{", *partial, f"{count} = {left};", "}", *finish, "}"]


def _finish(
    nest: NestWriter,
    targets: list[Target],
    count: str,
    before: list[str],
    after: list[str],
    *,
    may_be_empty: bool = False,
) -> list[str]:
    """The kernel that combines what the blocks left: a block of threads, or one thread.

    Its first thread runs `before`, puts the results in place, and runs `after`. Where there may be nothing to reduce, the places need not
    exist.
    """
    writer, number = nest.writer, nest.writer.fresh("number")
    whole_block = nest.schedule.finish is Finish.BLOCK
    threads = 256 if whole_block else 1
    lines: list[str] = []
    for t in targets:
        first, step = ("threadIdx.x", f"{number} += {threads}") if whole_block else ("0", f"++{number}")
        lines += [
            f"{t.type} {t.part} = {arithmetic.identity(t.operator, t.type)};",
            f"for (int {number} = {first}; {number} < {count}; {step}) {{",
            arithmetic.update(t.part, t.operator, f"{t.parts}[{number}]", t.type),
            "}",
        ]
        place = nest.printer().expression(t.place)
        final = [arithmetic.combined_last(place, t.place, t.part, nest.nest.updates, t.type)]
        if may_be_empty:
            final = [f"if ({count} > 0) {{", *final, "}"]
        final = [*(before if t is targets[0] else []), *final, *(after if t is targets[-1] else [])]
        if whole_block:
            shuffle = nest.schedule.combine is Combine.SHUFFLE
            function = writer.block_function(t.operator, t.type, threads, shuffle=shuffle)
            lines += [f"{t.part} = {function}({t.part});", "if (threadIdx.x == 0) {", *final, "}"]
        else:
            lines += final
    beside = [a for code in (nest.before, nest.after) if code for leaf in code.leaves for a in leaf.accesses]
    written = frozenset(access.array for access in [*nest.nest.accesses, *beside] if access.kind != READ)
    return writer.kernel(
        "finish", lines, nest.launch("1", (threads,), condition=None, counts=(count,), written=written)
    )


def _finish_array(nest: NestWriter, target: Target, count: str) -> list[str]:
    """The kernel that combines what the blocks left of each element, in the order of the blocks or, by a block, in another fixed one."""
    writer, schedule, number = nest.writer, nest.schedule, nest.writer.fresh("number")
    whole_block = schedule.finish is Finish.BLOCK
    threads = 256 if whole_block else target.length
    element, first, step = (
        ("blockIdx.x", "threadIdx.x", f"{number} += {threads}") if whole_block else ("threadIdx.x", "0", f"++{number}")
    )
    most = schedule.grid_stride * (1 if schedule.combine is not Combine.NONE else schedule.threads)
    neutral = arithmetic.identity(target.operator, target.type)
    lines = [
        f"{target.type} {target.part} = {neutral};",
        f"for (int {number} = {first}; {number} < {count}; {step}) {{",
        arithmetic.update(target.part, target.operator, f"{target.parts}[{element} * {most} + {number}]", target.type),
        "}",
    ]
    place = element_text(writer.scop, target.array, element)
    own = next(one for one in nest.nest.updates if place_name(one.target) == target.array)
    conditions = ["threadIdx.x == 0"] if whole_block else []
    if whole_block:
        shuffle = schedule.combine is Combine.SHUFFLE
        function = writer.block_function(target.operator, target.type, threads, shuffle=shuffle)
        lines.append(f"{target.part} = {function}({target.part});")
    if target.operator in ("max", "min") and is_float(target.type):
        conditions.append(f"{target.part} != {neutral}")  # an element that no iteration came to may hold a NaN
    final = [arithmetic.combined_last(place, own.target, target.part, nest.nest.updates, target.type)]
    lines += [f"if ({' && '.join(conditions)}) {{", *final, "}"] if conditions else final
    grid, block = (str(target.length), threads) if whole_block else ("1", threads)
    written = frozenset(access.array for access in nest.nest.accesses if access.kind != READ)
    return writer.kernel("finish", lines, nest.launch(grid, (block,), condition=None, counts=(count,), written=written))
