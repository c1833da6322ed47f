"""A wavefront: the launcher counts the times of the skewed order, and a kernel runs all points of one of them, a row a thread."""

from dataclasses import replace
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.transform.codegen.geometry import AT, below, operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.scatter import atomics
from regrapht.transform.ir.scalar_types import signed_index_type
from regrapht.transform.plan.wavefronts import Wave, wave_of
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Leaf


def write_wave(nest: NestWriter) -> list[str]:
    """Lines that launch one kernel a time.

    Raises:
        CannotTransform: The nest is no wavefront.
    """
    wave = wave_of(nest.nest, nest.writer.scop, atomics_vary=nest.schedule.varying)
    if isinstance(wave, str):
        raise CannotTransform(wave, line=nest.nest.line)
    return _Wavefront(nest, wave).lines()


class _Wavefront:
    def __init__(self, nest: NestWriter, wave: Wave) -> None:
        self.nest, self.wave, self.geometry = nest, wave, nest.geometry
        self.row, self.time = wave.outer, nest.writer.fresh("time")
        types = {signed_index_type(loop.type) for leaf in nest.nest.group for loop in leaf.loops}
        self.type = "long long" if "long long" in types else "int"
        given = " and ".join(nest.writer.scop.assumptions) or "true"
        self.sizes = isl().Set(f"[{self.geometry.parameters()}] -> {{ : {given} }}")
        times = self._times()
        self.first, self.last = times.dim_min(0), times.dim_max(0)

    def _times(self) -> Any:
        """All times, as a set of one dimension."""
        found: Any = None
        for leaf in self.nest.nest.group:
            text = f"[{leaf.parameters}] -> {{ {leaf.name}[{', '.join(leaf.dims)}] -> [{self.wave.time(leaf)}] }}"
            own = leaf.domain.apply(isl().Map(text))
            found = own if found is None else found.union(own)
        return _hull(found, self.sizes)

    def _now(self, leaf: Leaf) -> Any:
        """The iterations of a leaf at the time that the launcher has come to."""
        names = self.geometry.parameters([self.time])
        dims = ", ".join(dim + AT for dim in leaf.dims)
        return isl().Set(f"[{names}] -> {{ {leaf.name}[{dims}] : {self.wave.time(leaf, AT)} = {self.time} }}")

    def lines(self) -> list[str]:
        geometry, writer, time = self.geometry, self.nest.writer, self.time
        nonempty = geometry.nonempty
        known = nonempty.intersect(geometry.at_least(time, self.first)).intersect(geometry.at_most(time, self.last))
        rows = _hull(geometry.values(self.row, within=self._now), self.sizes)
        low, high = (geometry.text(bound.gist_params(known), known) for bound in (rows.dim_min(0), rows.dim_max(0)))
        outer = dict(writer.host_loops)
        writer.host_loops[time] = self.type
        threads = self.nest.schedule.threads
        count = high if low == "0" else f"{operand(high)} - {operand(low)}"
        guard = geometry.guard(rows.params(), known)
        launch = self.nest.launch(f"({count}) / {threads} + 1", self.nest.schedule.block, condition=guard)
        kernel = writer.kernel("wave", self._kernel(low, high, rows, known), launch)
        writer.host_loops = outer
        first, end = geometry.text(self.first, nonempty), below(geometry.text(self.last, nonempty))
        loop = [f"for ({self.type} {time} = {first}; {time} < {end}; ++{time}) {{", *kernel, "}"]
        return [f"if ({self.nest.condition}) {{", *loop, "}"] if self.nest.condition else loop

    def _kernel(self, low: str, high: str, rows: Any, known: Any) -> list[str]:
        """One row a thread: its point of this time."""
        geometry, nest, row = self.geometry, self.nest, self.row
        row_type = signed_index_type(nest.nest.loop(row).type)
        here = known.intersect(geometry.at_least(row, rows.dim_min(0))).intersect(
            geometry.at_most(row, rows.dim_max(0))
        )
        printer = nest.printer()
        if self.wave.atomics:
            printer = replace(printer, update=atomics(nest, self.wave.atomics))
        body = nest.body([row])
        code = nest.fragments(body).code(body, [row], here, printer, self._now)
        start = "" if low == "0" else f"{operand(low)} + "
        number = f"{'(long long)' if row_type == 'long long' else ''}blockIdx.x * {nest.schedule.threads} + threadIdx.x"
        return [
            f"const {row_type} {row} = {start}{number};",
            f"if ({row} <= {operand(high)}) {{",
            *nest.local_declarations(),
            *code,
            "}",
        ]


def _hull(values: Any, known: Any) -> Any:
    """A range around a set of one dimension with short texts for its bounds, where there is one; the kernel's own guards are exact."""
    hull = isl().Set.from_basic_set(values.intersect_params(known).remove_divs().polyhedral_hull())
    sets = isl().dim_type.set
    bounded = hull.dim_has_lower_bound(sets, 0) and hull.dim_has_upper_bound(sets, 0)
    return hull if bounded else values.coalesce()
