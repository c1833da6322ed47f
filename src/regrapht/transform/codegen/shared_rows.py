"""A warp takes one iteration of the outer loops; the rows that its lanes walk come to all warps of the block through shared memory.

Lanes that go along a row each read addresses a row apart, every warp for itself. Here the block copies the rows of 32 turns at a time, in
one piece, and all of its warps use them.
"""

from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import names_in
from regrapht.transform.codegen.geometry import below, constant_count, operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.row_copies import RowCopies, rows_to_copy
from regrapht.transform.codegen.row_phases import Phase, Share, row_phases
from regrapht.transform.codegen.rows import RowsKernel, write_rows
from regrapht.transform.ir.scalar_types import signed_index_type
from regrapht.transform.plan.schedule import Combine
from regrapht.transform.polyhedral.loop_tree import Loop, leaves
from regrapht.transform.polyhedral.point_rows import PointRows

LANES = 32


def rows_of_lanes(nest: NestWriter, array: str) -> dict[int, PointRows] | str:
    """The rows of an array that all warps of a block walk, by the number of the phase in which they do; why there are none elsewhere."""
    mapped = nest.nest.parallel
    phases = row_phases(nest.nest, mapped, nest.writer.scop)
    if isinstance(phases, str):
        return phases
    if any(phase.loops for phase in phases):
        return "data bound the loop that threads would share"
    found: dict[int, PointRows] = {}
    reasons: list[str] = []
    for number, phase in enumerate(phases):
        if not isinstance(phase.node, Loop):
            continue
        rows = _rows_in(nest, array, phase.node)
        if isinstance(rows, PointRows):
            found[number] = rows
        else:
            reasons.append(rows)
    return found or "; ".join(dict.fromkeys(reasons)) or "no loop inside the parallel loops goes along its rows"


def _rows_in(nest: NestWriter, array: str, loop: Loop) -> PointRows | str:
    trips = constant_count(nest.geometry.values(loop.variable, leaves(loop)))
    if trips is not None and trips < LANES:
        return f"the loop over '{loop.variable}' has only {trips} iterations"
    rows = rows_to_copy(nest, array, loop.variable, leaves(loop))
    if isinstance(rows, PointRows) and any(names_in(one) & set(nest.nest.parallel) for one in rows.columns.values()):
        return "neighbouring points read neighbouring elements of its rows"
    return rows


def write_shared_rows(nest: NestWriter) -> list[str]:
    """Lines that launch the nest; where the rows turn out not to fit, each warp is a block and reads them from memory.

    Raises:
        CannotTransform: The rows cannot be shared by threads.
    """
    kernel = _SharedRows(nest)
    lines, conditions = kernel.launch(), kernel.conditions
    if not conditions:
        return lines
    alone = replace(nest.schedule, rows=(), block=(LANES,), combine=Combine.SHUFFLE)
    return [f"if ({' && '.join(conditions)}) {{", *lines, "} else {", *write_rows(replace(nest, schedule=alone)), "}"]


class _SharedRows(RowsKernel):
    def __init__(self, nest: NestWriter) -> None:
        super().__init__(nest)
        self.threads, self.warps = LANES, nest.schedule.threads // LANES
        by_phase: dict[int, list[PointRows]] = {}
        for array in nest.schedule.rows:
            found = rows_of_lanes(nest, array)
            if isinstance(found, str):
                raise CannotTransform(found, line=nest.nest.line)
            for number, rows in found.items():
                by_phase.setdefault(number, []).append(rows)
        self.copies = {number: RowCopies(nest, rows, LANES) for number, rows in by_phase.items()}
        self.active = nest.writer.fresh("has_row")

    @property
    def conditions(self) -> list[str]:
        return list(dict.fromkeys(text for copies in self.copies.values() for text in copies.conditions))

    def launch(self) -> list[str]:
        points, phases = self.points, row_phases(self.nest.nest, self.loops, self.nest.writer.scop)
        assert not isinstance(phases, str), "the rows were found in its phases"
        block = "blockIdx.x" if points.type != "long long" else "(long long)blockIdx.x"
        lines = [
            f"const {points.type} {points.name} = {block} * {self.warps} + threadIdx.y;",
            f"const bool {self.active} = {points.name} < {points.end};",
            *points.coordinates(points.name),
            *self.nest.local_declarations(),
        ]
        for number, phase in enumerate(phases):
            lines += ["__syncwarp();"] if self.needs_barrier(phase) else []
            if number in self.copies:
                lines += self._from_copies(phase, self.copies[number])
            else:
                lines += self._if_active(self.all(phase) if phase.share is Share.ALL else self.shared(phase))
        bytes_ = list(dict.fromkeys(copies.bytes for copies in self.copies.values()))
        most = bytes_[0]
        for other in bytes_[1:]:
            most = f"({most} > {other} ? {most} : {other})"
        shape = self.nest.launch(points.blocks(self.warps), self.schedule.block, shared_bytes=most)
        return self.nest.writer.kernel("shared_rows", lines, shape)

    def _if_active(self, lines: list[str]) -> list[str]:
        """Lines for the warps that have an iteration: all lanes of a warp, or none."""
        return [f"if ({self.active}) {{", *lines, "}"] if lines else []

    def _from_copies(self, phase: Phase, copies: RowCopies) -> list[str]:
        """A loop in steps of one turn a lane. Its bounds are those of all iterations, so that all warps come to every barrier."""
        assert isinstance(phase.node, Loop)
        loop, geometry, fresh = phase.node, self.geometry, self.nest.writer.fresh
        variable, context = loop.variable, geometry.nonempty
        values = geometry.values(variable, leaves(loop))
        if values.intersect_params(context).is_empty():
            return []  # a loop that never makes a turn has no first and no last value
        low, high = (geometry.text(end.gist_params(context), context) for end in (values.dim_min(0), values.dim_max(0)))
        known = self.known.intersect(geometry.at_least(variable, values.dim_min(0)))
        known = known.intersect(geometry.at_most(variable, values.dim_max(0)))
        before, after, printer = self.combined(phase, self.nest.printer())
        printer = replace(printer, access=copies.access)
        code = self.fragments.code([loop], [*self.loops, variable], known, printer)
        type_name = signed_index_type(loop.type)
        first, count = fresh(f"{variable}_first"), fresh("rows_here")
        left = f"{operand(high)} - {first}"
        steps = [
            *copies.declarations(),
            *copies.own_rows(),
            f"for ({type_name} {first} = {low}; {first} < {below(high)}; {first} += {LANES}) {{",
            f"const int {count} = {left} < {LANES} ? (int)({left}) + 1 : {LANES};",
            "__syncthreads();",
            *copies.copied(first, count, f"threadIdx.y * {LANES} + threadIdx.x"),
            "__syncthreads();",
            f"const {type_name} {variable} = {first} + ({type_name})threadIdx.x;",
            f"if ({self.active} && {variable} < {below(high)}) {{",
            *code,
            "}",
            "}",
        ]
        guard = geometry.range_guard(values, context)
        return [*before, f"if ({guard}) {{" if guard else "{", *steps, "}", *self._if_active(after)]
