"""A block takes one iteration of the outer loops; its threads stride along the loops inside and combine what they update."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.geometry import below, operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.row_loops import RowLoop
from regrapht.transform.codegen.row_phases import Phase, Share, row_phases
from regrapht.transform.codegen.shared_loops import Combination, SharedLoops, update_of_parts
from regrapht.transform.ir.expressions import Element, Expression, Variable, place_name
from regrapht.transform.ir.scalar_types import signed_index_type
from regrapht.transform.ir.statements import Update, every
from regrapht.transform.plan.schedule import Combine
from regrapht.transform.polyhedral.loop_tree import READ, Leaf, Loop, leaves


def write_rows(nest: NestWriter) -> list[str]:
    """Lines that launch one block a row.

    Raises:
        CannotTransform: The rows cannot be shared by threads.
    """
    return RowsKernel(nest).launch()


class RowsKernel:
    """The skeleton: what a block does for its iteration, phase by phase."""

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
            lines += ["__syncthreads();"] if self.needs_barrier(phase) else []
            lines += self.all(phase) if phase.share is Share.ALL else self.shared(phase)
        grid = self.points.total
        return self.nest.writer.kernel("rows", lines, self.nest.launch(grid, self.schedule.block))

    def needs_barrier(self, phase: Phase) -> bool:
        """Whether a phase touches memory that other threads wrote, or writes memory that they read, since the last barrier."""
        accesses = [a for leaf in leaves(phase.node) for a in leaf.accesses if a.array in self.memory]
        read, written = {a.array for a in accesses}, {a.array for a in accesses if a.kind != READ}
        needed = bool(read & self.written or written & self.touched)
        if needed:
            self.touched, self.written = set(), set()
        self.touched |= read
        self.written |= written
        return needed

    def all(self, phase: Phase) -> list[str]:
        if phase.loops:
            assert isinstance(phase.node, Leaf)
            return self._with_shared_loops(phase.node, phase.loops)
        code = self.fragments.code([phase.node], self.loops, self.known, self.nest.printer())
        writes = any(a.kind != READ and a.array in self.memory for leaf in leaves(phase.node) for a in leaf.accesses)
        return ["if (threadIdx.x == 0) {", *code, "}"] if writes else code

    def _with_shared_loops(self, leaf: Leaf, loops: Sequence[RowLoop]) -> list[str]:
        shared = SharedLoops(
            statements=leaf.statements,
            loops=loops,
            threads=self.threads,
            memory=self.memory,
            outside=self.nest.writer.scop.shared_locals,
            combination=self._combination,
            name=self._part,
        )
        printer = replace(self.nest.printer(), block=shared.lines)
        return self.fragments.code([leaf], self.loops, self.known, printer)

    def shared(self, phase: Phase) -> list[str]:
        assert isinstance(phase.node, Loop)
        variable, geometry = phase.node.variable, self.geometry
        values = geometry.values(variable, leaves(phase.node), lambda leaf: geometry.box(leaf, {}, self.loops))
        if values.intersect_params(self.known).is_empty():
            return []  # a loop that never makes a turn has no first and no last value
        low, high = (
            geometry.text(bound.gist_params(self.known), self.known) for bound in (values.dim_min(0), values.dim_max(0))
        )
        known = self.known.intersect(geometry.at_least(variable, values.dim_min(0)))
        known = known.intersect(geometry.at_most(variable, values.dim_max(0)))
        before, after, printer = self.combined(phase, self.nest.printer())
        code = self.fragments.code([phase.node], [*self.loops, variable], known, printer)
        type_name = signed_index_type(phase.node.type)
        start = f"{_signed(operand(low), type_name)} + threadIdx.x" if low != "0" else "threadIdx.x"
        loop = [
            f"for ({type_name} {variable} = {start}; {variable} < {below(high)}; {variable} += {self.threads}) {{",
            *code,
            "}",
        ]
        guard = self._range_guard(values)
        return before + ([f"if ({guard}) {{", *loop, "}"] if guard else loop) + after

    def combined(self, phase: Phase, printer: Printer) -> tuple[list[str], list[str], Printer]:
        """Lines before and after a shared loop for what its turns update, and the printer that sums up each thread's part."""
        assert isinstance(phase.node, Loop)
        updates = [one for leaf in leaves(phase.node) for one in every(leaf.statements) if isinstance(one, Update)]
        found = [self._combination(place, phase.node.variable, updates, printer) for place in phase.targets]
        before, after = [one.before for one in found], [line for one in found for line in self._after(phase, one)]
        return before, after, replace(printer, update=update_of_parts(found))

    def _range_guard(self, values: Any) -> str | None:
        return self.geometry.range_guard(values, self.known)

    def _part(self, name: str) -> str:
        """A name for what each thread has of its own, another one every time."""
        self.parts[name] += 1
        return self.nest.writer.fresh(name if self.parts[name] == 1 else f"{name}_{self.parts[name]}")

    def _combination(
        self, place: Expression, variable: str, updates: Sequence[Update], printer: Printer
    ) -> Combination:
        """How threads that share a loop over `variable` with these `updates` combine what they have of one place."""
        assert isinstance(place, Variable | Element)
        name = place_name(place)
        type_name = self.nest.writer.scop.element_type(name)
        operator = next(one.operator for one in updates if one.target == place)
        shuffle = self.schedule.combine is Combine.SHUFFLE
        part = self._part(f"{name}_part_{variable}")
        function = self.nest.writer.block_function(operator, type_name, self.threads, shuffle=shuffle)
        return Combination(
            place=place,
            type=type_name,
            part=part,
            before=f"{type_name} {part} = {arithmetic.identity(operator, type_name)};",
            together=f"{part} = {function}({part});",
            last=arithmetic.combined_last(printer.expression(place), place, part, updates, type_name),
            in_memory=name in self.memory,
        )

    def _after(self, phase: Phase, one: Combination) -> list[str]:
        guard = None if isinstance(one.place, Variable) else self._existing(phase, one.place)
        conditions = [*(["threadIdx.x == 0"] if one.in_memory else []), *([operand(guard)] if guard else [])]
        if not conditions:
            return [one.together, one.last]
        return [one.together, f"if ({' && '.join(conditions)}) {{", one.last, "}"]

    def _existing(self, phase: Phase, place: Expression) -> str | None:
        """The condition under which a place is updated at all; None where it always is."""
        group = [leaf for leaf in leaves(phase.node) if any(a.expression == place for a in leaf.accesses)]
        inside = None
        for leaf in group:
            own = leaf.domain.intersect(self.nest.within(leaf, self.loops)).params()
            inside = own if inside is None else inside.union(own)
        return self.geometry.guard(inside, self.known)


def _signed(low: str, type_name: str) -> str:
    """A first value that the number of a thread, which has no sign, can be added to."""
    return f"(long long){low}" if type_name == "long long" and not low.isdigit() else low
