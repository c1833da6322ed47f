"""A nest whose iterations meet only in fixed elements: partial results, combined in a block or not, then finished."""

from dataclasses import dataclass, replace

from regrapht.propose.transform.codegen import arithmetic
from regrapht.propose.transform.codegen.arithmetic import smaller
from regrapht.propose.transform.codegen.linear import points_of, strided
from regrapht.propose.transform.codegen.nest_writer import NestWriter
from regrapht.propose.transform.codegen.printer import Printer, UpdateHook
from regrapht.propose.transform.codegen.serial import scalar_lines
from regrapht.propose.transform.codegen.writer import Scratch
from regrapht.propose.transform.frontend.expressions import Expression
from regrapht.propose.transform.frontend.statements import Update
from regrapht.propose.transform.polyhedral.loop_tree import READ
from regrapht.propose.transform.schedule import Combine, Finish


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One reduced value: where it goes, its operator and type, the names of a thread's part and of the array of parts."""

    place: Expression
    operator: str
    type: str
    part: str
    parts: str


def write_reduction(nest: NestWriter) -> list[str]:
    """Lines that launch the reduction and, where parts are left, the kernel that finishes it."""
    targets, schedule, writer = targets_of(nest), nest.schedule, nest.writer
    points = points_of(nest)
    printer = replace(nest.printer(), update=update_of_parts(targets))
    lines = [f"{t.type} {t.part} = {arithmetic.identity(t.operator, t.type)};" for t in targets]
    lines += strided(nest, points, printer)
    if schedule.combine is not Combine.NONE:
        shuffle = schedule.combine is Combine.SHUFFLE
        for t in targets:
            function = writer.block_function(t.operator, t.type, schedule.threads, shuffle=shuffle)
            lines.append(f"{t.part} = {function}({t.part});")
    blocks = writer.fresh("blocks")
    wide = "(long long)" if points.type == "long long" or not points.single else ""
    count = f"const int {blocks} = {smaller(points.blocks(schedule.threads), str(schedule.grid_stride), wide)};"
    one_a_block = schedule.combine is not Combine.NONE
    if schedule.finish is Finish.ATOMIC:
        updates = [arithmetic.atomic(nest.printer().expression(t.place), t.operator, t.part, t.type) for t in targets]
        lines += ["if (threadIdx.x == 0) {", *updates, "}"] if one_a_block else updates
        launches = writer.kernel("reduce", lines, nest.launch(blocks, schedule.block, condition=None))
        return _guarded(nest, [count, *launches])
    slot = "blockIdx.x" if one_a_block else f"blockIdx.x * {schedule.threads} + threadIdx.x"
    stores = [f"{t.parts}[{slot}] = {t.part};" for t in targets]
    lines += ["if (threadIdx.x == 0) {", *stores, "}"] if one_a_block else stores
    for t in targets:
        most = schedule.grid_stride * (1 if one_a_block else schedule.threads)
        writer.scratch[t.parts] = Scratch(t.type, str(most))
    launches = writer.kernel("partial", lines, nest.launch(blocks, schedule.block, condition=None))
    left = blocks if one_a_block else f"{blocks} * {schedule.threads}"
    return _finished(nest, targets, [count, *launches], left)


def targets_of(nest: NestWriter) -> list[Target]:
    """What a whole-nest reduction updates, with the names of a thread's part and of all parts."""
    scop, fresh, number = nest.writer.scop, nest.writer.fresh, nest.nest.number
    places = nest.nest.target_places
    return [
        Target(
            place=places[name],
            operator=operator,
            type=scop.element_type(name),
            part=fresh(f"{name}_part"),
            parts=fresh(f"{name}_parts_{number}"),
        )
        for name, operator in nest.nest.targets.items()
    ]


def update_of_parts(targets: list[Target]) -> UpdateHook:
    """The hook that sends updates of the targets to this thread's parts."""
    by_place = {target.place: target for target in targets}

    def update(statement: Update, printer: Printer) -> str | None:
        target = by_place.get(statement.target)
        if target is None:
            return None
        return arithmetic.update(target.part, statement.operator, printer.expression(statement.value), target.type)

    return update


def _guarded(nest: NestWriter, lines: list[str]) -> list[str]:
    return [f"if ({nest.condition}) {{" if nest.condition else "{", *lines, "}"]


def _finished(nest: NestWriter, targets: list[Target], partial: list[str], left: str) -> list[str]:
    """Lines that launch both kernels; the second also where there is nothing to reduce, if it runs statements beside the nest."""
    count = nest.writer.fresh("parts_left")
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
