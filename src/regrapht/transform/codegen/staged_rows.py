"""Rows that a thread would walk alone, neighbours a row apart, copied to shared memory by its whole block first.

The rows of a block's points lie one after another, so that the copy is coalesced.
"""

from dataclasses import replace

from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.linear import one_point, points_of, write_linear
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.row_copies import RowCopies, rows_to_copy
from regrapht.transform.polyhedral.point_rows import PointRows


def staged_rows(nest: NestWriter, array: str) -> PointRows | str:
    """The rows of a block's points that it can copy of an array, or why there are none."""
    (point,) = nest.schedule.loops
    return rows_to_copy(nest, array, point, nest.nest.group)


def write_staged(nest: NestWriter) -> list[str]:
    """Lines that launch the nest; rows are copied only where those of a block turn out to fit."""
    found = [rows for array in nest.schedule.rows if isinstance(rows := staged_rows(nest, array), PointRows)]
    if len(found) < len(nest.schedule.rows):  # the rule has made sure
        return write_linear(replace(nest, schedule=replace(nest.schedule, rows=())))
    staged = RowCopies(nest, found, nest.schedule.threads)
    lines, conditions = _Kernel(nest, staged).launch(), staged.conditions
    if not conditions:
        return lines
    plain = write_linear(replace(nest, schedule=replace(nest.schedule, rows=())))
    return [f"if ({' && '.join(conditions)}) {{", *lines, "} else {", *plain, "}"]


class _Kernel:
    """The skeleton: all threads copy the rows and wait; then each with a point reads its own."""

    def __init__(self, nest: NestWriter, staged: RowCopies) -> None:
        self.nest, self.staged = nest, staged
        self.points = points_of(nest)
        fresh = nest.writer.fresh
        self.first, self.count = fresh("first_point"), fresh("points_here")

    def launch(self) -> list[str]:
        nest, points, threads = self.nest, self.points, self.nest.schedule.threads
        low = points.axes[0].low
        first = self.first if low == "0" else f"({operand(low)} + {self.first})"
        lines = [*self._block(points, threads), *self.staged.declarations()]
        lines += [*self.staged.copied(first, self.count), "__syncthreads();", *self.staged.own_rows()]
        printer = replace(nest.printer(), access=self.staged.access)
        lines += one_point(nest, points, points.own_number(threads), printer)
        shape = nest.launch(points.blocks(threads), nest.schedule.block, shared_bytes=self.staged.bytes)
        return nest.writer.kernel("staged", lines, shape)

    def _block(self, points: Points, threads: int) -> list[str]:
        """The number of a block's first point, and how many points it has."""
        axis = points.axes[0]
        block = f"{'(long long)' if axis.type == 'long long' else '(int)'}blockIdx.x * {threads}"
        left = f"{operand(axis.last)} - {self.first}"
        return [
            f"const {axis.type} {self.first} = {block};",
            f"const int {self.count} = {left} < {threads} ? (int)({left}) + 1 : {threads};",
        ]
