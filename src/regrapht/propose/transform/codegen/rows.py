"""A block takes one iteration of the outer loops; its threads stride along the loops inside and combine what they update."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.propose.transform.codegen import arithmetic
from regrapht.propose.transform.codegen.geometry import below, operand
from regrapht.propose.transform.codegen.nest_writer import NestWriter
from regrapht.propose.transform.codegen.points import Points
from regrapht.propose.transform.codegen.printer import Printer, UpdateHook
from regrapht.propose.transform.codegen.row_phases import Phase, Share, row_phases
from regrapht.propose.transform.frontend.expressions import Expression, Variable
from regrapht.propose.transform.frontend.scalar_types import signed_index_type
from regrapht.propose.transform.frontend.statements import Update
from regrapht.propose.transform.polyhedral.loop_tree import READ, Loop, leaves
from regrapht.propose.transform.schedule import Combine


def write_rows(nest: NestWriter) -> list[str]:
    """Lines that launch one block a row.

    Raises:
        CannotTransform: The rows cannot be shared by threads.
    """
    return _Rows(nest).launch()


class _Rows:
    def __init__(self, nest: NestWriter) -> None:
        self.nest, self.schedule, self.geometry = nest, nest.schedule, nest.geometry
        self.loops = list(reversed(self.schedule.loops))
        self.points = Points(nest.geometry, self.schedule.loops, nest.writer)
        last = self.points.axes[-1]
        self.known = self.points.known.intersect(self.geometry.at_most(last.variable, last.values.dim_max(0)))
        self.body = nest.body(self.loops)
        self.fragments = nest.fragments(self.body)
        self.threads = self.schedule.threads
        self.memory = nest.writer.scop.in_memory(len(nest.nest.host_loops))
        self.parts: Counter[str] = Counter()
        """How many phases have summed up into something, by its name and the loop's."""
        self.touched: set[str] = set()
        self.written: set[str] = set()

    def launch(self) -> list[str]:
        phases = row_phases(self.nest.nest, self.loops, self.nest.writer.scop)
        if isinstance(phases, str):
            raise CannotTransform(phases, line=self.nest.nest.line)
        lines = [*self.points.coordinates("blockIdx.x"), *self.nest.local_declarations()]
        for phase in phases:
            lines += self._barrier(phase)
            lines += self._all(phase) if phase.share is Share.ALL else self._shared(phase)
        grid = self.points.total
        return self.nest.writer.kernel("rows", lines, self.nest.launch(grid, self.schedule.block))

    def _barrier(self, phase: Phase) -> list[str]:
        """A barrier where a phase touches memory that other threads wrote, or writes memory that they read."""
        accesses = [a for leaf in leaves(phase.node) for a in leaf.accesses if a.array in self.memory]
        read, written = {a.array for a in accesses}, {a.array for a in accesses if a.kind != READ}
        needed = bool(read & self.written or written & self.touched)
        if needed:
            self.touched, self.written = set(), set()
        self.touched |= read
        self.written |= written
        return ["__syncthreads();"] if needed else []

    def _all(self, phase: Phase) -> list[str]:
        code = self.fragments.code([phase.node], self.loops, self.known, self.nest.printer())
        writes = any(a.kind != READ and a.array in self.memory for leaf in leaves(phase.node) for a in leaf.accesses)
        return ["if (threadIdx.x == 0) {", *code, "}"] if writes else code

    def _shared(self, phase: Phase) -> list[str]:
        assert isinstance(phase.node, Loop)
        variable, geometry = phase.node.variable, self.geometry
        values = geometry.values(variable, leaves(phase.node), lambda leaf: geometry.box(leaf, {}, self.loops))
        low, high = (
            geometry.text(bound.gist_params(self.known), self.known) for bound in (values.dim_min(0), values.dim_max(0))
        )
        known = self.known.intersect(geometry.at_least(variable, values.dim_min(0)))
        known = known.intersect(geometry.at_most(variable, values.dim_max(0)))
        before, after, parts = self._reductions(phase)
        printer = replace(self.nest.printer(), update=self._hook(parts))
        code = self.fragments.code([phase.node], [*self.loops, variable], known, printer)
        start = ("" if low == "0" else f"{operand(low)} + ") + "threadIdx.x"
        type_name = signed_index_type(phase.node.type)
        loop = [
            f"for ({type_name} {variable} = {start}; {variable} < {below(high)}; {variable} += {self.threads}) {{",
            *code,
            "}",
        ]
        guard = self._range_guard(values)
        return before + ([f"if ({guard}) {{", *loop, "}"] if guard else loop) + after

    def _range_guard(self, values: Any) -> str | None:
        return self.geometry.range_guard(values, self.known)

    def _part(self, name: str) -> str:
        self.parts[name] += 1
        return self.nest.writer.fresh(name if self.parts[name] == 1 else f"{name}_{self.parts[name]}")

    def _reductions(self, phase: Phase) -> tuple[list[str], list[str], dict[Expression, str]]:
        """Lines before and after a shared loop that start and combine the threads' parts; the parts' names."""
        before: list[str] = []
        after: list[str] = []
        parts: dict[Expression, str] = {}
        for place, operator in phase.targets.items():
            name = place.name if isinstance(place, Variable) else place.array  # type: ignore[union-attr]
            type_name = self.nest.writer.scop.element_type(name)
            part = self._part(f"{name}_part_{phase.node.variable}")  # type: ignore[union-attr]
            parts[place] = part
            before.append(f"{type_name} {part} = {arithmetic.identity(operator, type_name)};")
            shuffle = self.schedule.combine is Combine.SHUFFLE
            function = self.nest.writer.block_function(operator, type_name, self.threads, shuffle=shuffle)
            target = self.nest.printer().expression(place)
            after.append(f"{part} = {function}({part});")
            line = arithmetic.combined_last(target, place, part, self.nest.nest.updates, type_name)
            after += [line] if isinstance(place, Variable) else self._first_thread(phase, place, line)
        return before, after, parts

    def _first_thread(self, phase: Phase, place: Expression, line: str) -> Sequence[str]:
        """The line for one thread, where the iteration exists at all."""
        group = [leaf for leaf in leaves(phase.node) if any(a.expression == place for a in leaf.accesses)]
        inside = None
        for leaf in group:
            own = leaf.domain.intersect(self.nest.within(leaf, self.loops)).params()
            inside = own if inside is None else inside.union(own)
        guard = self.geometry.guard(inside, self.known)
        return [f"if (threadIdx.x == 0{f' && {operand(guard)}' if guard else ''}) {{", line, "}"]

    def _hook(self, parts: dict[Expression, str]) -> UpdateHook:
        def update(statement: Update, printer: Printer) -> str | None:
            part = parts.get(statement.target)
            if part is None:
                return None
            type_name = self.nest.writer.scop.element_type(printer.target_name(statement))
            return arithmetic.update(part, statement.operator, printer.expression(statement.value), type_name)

        return update
