"""Rows of points in shared memory, so that their loads are coalesced."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from math import prod

from regrapht.source.polynomial import Terms, written_out
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.row_copies import longest, padded
from regrapht.transform.codegen.staged_rows import staged_rows
from regrapht.transform.ir.names import internal_name
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import SHARED_BYTES, Combine, Layout, Schedule
from regrapht.transform.rules.fill import imbalance
from regrapht.transform.rules.reach import not_a_map, probe
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number

SECTOR = 32
"""Bytes that memory moves at least: shorter rows are whole sectors between neighbouring threads already."""


class MemoryCoalescing(Rule):
    slug = "memory_coalescing"
    title = "rows of a block's points copied to shared memory"
    condition = "one parallel loop whose points go along a row each of an array that is only read"
    explanation = (
        "The threads of a block copy the rows of all their points to shared memory together, neighbouring threads neighbouring elements, "
        "and each then reads its own row there; where the rows do not fit, the launcher takes the plain kernel."
    )
    parameters = (Parameter("threads", (128, 64, 256, 32)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.rows:
            return "its blocks copy rows already"
        if schedule.layout is not Layout.LINEAR or len(schedule.loops) != 1 or schedule.combine is not Combine.NONE:
            return "it is not mapped as numbered points of one loop"
        if schedule.grid_stride or schedule.coarsening or schedule.vector:
            return "its threads take several points already"
        if abs(nest.loop(schedule.loops[0]).step) != 1:
            return f"the loop over '{schedule.loops[0]}' does not go one by one"
        found, reasons = self._arrays(program, nest, number(setting, "threads"))
        return None if found else "; ".join(reasons) or "it reads no array that it does not write"

    @staticmethod
    def _arrays(program: Program, nest: Nest, threads: int) -> tuple[tuple[str, ...], list[str]]:
        return fitting_rows(program, nest, threads, partial(_row_bytes, threads=threads))

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        return imbalance(program, nest, self.change(program, nest, setting))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        threads = number(setting, "threads")
        rows, _ = self._arrays(program, nest, threads)
        return replace(program.schedules[nest.number], rows=rows, block=(threads,))


def fitting_rows(
    program: Program, nest: Nest, count: int, row_bytes: Callable[[Program, NestWriter, str], int | str]
) -> tuple[tuple[str, ...], list[str]]:
    """Arrays of which `count` rows fit into shared memory together at the timed sizes, the shortest rows first; why others cannot.

    Args:
        row_bytes: What a row of an array takes, or why it cannot be there.
    """
    writer = probe(program, nest, program.schedules[nest.number])
    fitting: list[tuple[int, str]] = []
    reasons: list[str] = []
    for array in nest.read_only(program.scop):
        found = row_bytes(program, writer, array)
        if isinstance(found, str):
            reasons.append(f"'{array}': {found}")
        else:
            fitting.append((found, array))
    chosen: list[str] = []
    left = SHARED_BYTES // count
    for bytes_, array in sorted(fitting):
        if bytes_ <= left:
            chosen.append(array)
            left -= bytes_
    return tuple(chosen), reasons


def rows_problem(program: Program, nest: Nest, schedule: Schedule) -> str | None:
    """Why blocks of another size cannot copy the rows that a schedule names; None when they can."""
    writer, total = probe(program, nest, schedule), 0
    for array in schedule.rows:
        found = _row_bytes(program, writer, array, schedule.threads)
        if isinstance(found, str):
            return f"'{array}': {found}"
        total += found * schedule.threads
    return (
        None if total <= SHARED_BYTES else f"its rows need {total} bytes of shared memory, a block has {SHARED_BYTES}"
    )


def _row_bytes(program: Program, writer: NestWriter, array: str, threads: int) -> int | str:
    """Shared memory that a row takes at the timed sizes, 0 where these do not say it; a text where it cannot be copied."""
    rows = staged_rows(writer, array)
    if isinstance(rows, str):
        return rows
    size = size_bytes(program.scop.element_type(array))
    length = at_timed_size(program, rows.length)
    if length is None:
        return 0
    if length < 1 or length > longest(threads, size):
        return f"its rows of {length} elements do not fit into shared memory for {threads} threads"
    if not set(rows.length) - {()} and length * size <= SECTOR:
        return f"its rows of {length * size} bytes are not longer than a sector of memory"
    return padded(length, size) * size


def at_timed_size(program: Program, length: Terms) -> int | None:
    """The polynomial's value at the last timed size; None where a name in it has none."""
    benches = program.task.bench_sizes
    sizes: Mapping[str, int] = {internal_name(name): value for name, value in benches[-1].items()} if benches else {}
    known = written_out(length, program.scop.symbols.values)
    if any(name not in sizes for atoms in known for name in atoms):
        return None
    return sum(value * prod(sizes[name] for name in atoms) for atoms, value in known.items())
