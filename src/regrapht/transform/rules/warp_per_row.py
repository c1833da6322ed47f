"""A warp for each point, and the rows that the lanes of all warps walk in shared memory."""

from dataclasses import replace

from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.row_copies import longest, padded
from regrapht.transform.codegen.shared_rows import LANES, rows_of_lanes
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Combine, Layout, Schedule
from regrapht.transform.rules.memory_coalescing import SECTOR, at_timed_size, fitting_rows
from regrapht.transform.rules.reach import not_a_map
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class WarpPerRow(Rule):
    slug = "warp_per_row"
    title = "a warp a point, whose lanes share rows with those of the block's other warps"
    condition = (
        "independent loops around a loop that reduces, whose turns go along a row each of an array that is only read, the same rows for "
        "all points"
    )
    explanation = (
        "A warp takes a point and its lanes the turns of the loop inside; the block copies the rows of 32 turns to shared memory in one "
        "piece, and all of its warps read them there; where the rows do not fit, the launcher takes a kernel without copies."
    )
    parameters = (Parameter("warps", (8, 16, 4)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.rows:
            return "its blocks copy rows already"
        if schedule.layout is not Layout.LINEAR or schedule.combine is not Combine.NONE:
            return "its points are spread over threads in another way already"
        if schedule.grid_stride or schedule.coarsening or schedule.vector:
            return "its threads take several points already"
        found, reasons = fitting_rows(program, nest, LANES, _row_bytes)
        return None if found else "; ".join(reasons) or "it reads no array that it does not write"

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        rows, _ = fitting_rows(program, nest, LANES, _row_bytes)
        return replace(
            program.schedules[nest.number],
            layout=Layout.ROWS,
            combine=Combine.SHUFFLE,
            block=(LANES, number(setting, "warps")),
            loops=tuple(reversed(nest.parallel)),
            rows=rows,
        )


def _row_bytes(program: Program, writer: NestWriter, array: str) -> int | str:
    """Shared memory that a row takes at the timed sizes, 0 where these do not say it; a text where it cannot be shared."""
    found = rows_of_lanes(writer, array)
    if isinstance(found, str):
        return found
    size = size_bytes(program.scop.element_type(array))
    lengths = [at_timed_size(program, rows.length) for rows in found.values()]
    known = [length for length in lengths if length is not None]
    for length in known:
        if length < 1 or length > longest(LANES, size):
            return f"its rows of {length} elements do not fit into shared memory for {LANES} lanes"
        if length * size <= SECTOR:
            return f"its rows of {length * size} bytes are not longer than a sector of memory"
    return max((padded(length, size) * size for length in known), default=0)
