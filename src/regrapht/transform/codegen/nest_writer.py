"""What the writers of all layouts share: one nest, its schedule, its geometry."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from regrapht.transform.codegen.constant_places import ConstantPlaces
from regrapht.transform.codegen.fragment import Fragments, positions
from regrapht.transform.codegen.geometry import Geometry, constant_count, constant_value
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.writer import Launch, Writer
from regrapht.transform.ir.expressions import Element
from regrapht.transform.ir.statements import Statement
from regrapht.transform.plan.nest import Nest, ScalarCode
from regrapht.transform.plan.schedule import Schedule
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, WRITE, Access, Leaf, Node, without_loops
from regrapht.transform.polyhedral.scop import Scop

ALWAYS_FIT = 256
"""Threads a block that can be started whatever registers the compiler takes: 65536 / 255."""


@dataclass(slots=True)
class NestWriter:
    """One nest under one schedule."""

    writer: Writer
    nest: Nest
    schedule: Schedule
    geometry: Geometry = field(init=False)
    before: ScalarCode | None = None
    after: ScalarCode | None = None
    """Statements beside the nest that its finishing kernel runs, before and after it puts the results in place."""

    def __post_init__(self) -> None:
        self.nest.prepare(self.writer.scop)
        writer = self.writer
        self.geometry = Geometry(writer.scop, self.nest, writer.names, writer.extents, writer.wide_names)

    @property
    def condition(self) -> str | None:
        """The launcher's condition for the nest to have any iteration."""
        return self.geometry.guard(self.geometry.nonempty, self._launched())

    def _launched(self) -> Any:
        """What holds wherever the launcher comes to the nest: the bounds of its loops around it."""
        known, names = self.geometry.universe, self.geometry.parameters()
        loops = {loop.variable: loop for leaf in self.nest.group for loop in leaf.loops}
        for variable in self.nest.host_loops:
            known = known.intersect(isl().Set(f"[{names}] -> {{ : {' and '.join(loops[variable].constraints)} }}"))
        return known

    def body(self, mapped: Sequence[str]) -> list[Node]:
        """The tree inside the mapped loops."""
        return without_loops(self.nest.root, mapped)

    def fragments(self, body: Sequence[Node]) -> Fragments:
        return Fragments(
            geometry=self.geometry,
            where=positions(body),
            fresh=self.writer.fresh,
            unroll=self.schedule.unroll,
            kept=self.schedule.kept,
        )

    def is_private(self, array: str) -> bool:
        """Whether every thread has its own: a local of the source that does not outlive the kernel."""
        return array in self.writer.scop.locals and array not in self.writer.scratch

    def local_names(self) -> list[str]:
        """Locals declared inside the nest that several of its leaves use."""
        scop = self.writer.scop
        used = dict.fromkeys(access.array for access in self.nest.accesses)
        return [
            name
            for name in used
            if name in scop.shared_locals and len(scop.locals[name].loops) > len(self.nest.host_loops)
        ]

    def local_declarations(self, sizes: str = "", *, cleared: bool = False) -> list[str]:
        """Their declarations; `sizes` makes one for each of a thread's points, `cleared` sets them to 0."""
        lines = []
        for name in self.local_names():
            local = self.writer.scop.locals[name]
            lengths = sizes + "".join(f"[{length}]" for length in local.lengths)
            start = (" = {}" if lengths else " = 0") if cleared else ""
            lines.append(f"{local.type} {name}{lengths}{start};")
        return lines

    def printer(self) -> Printer:
        scop, schedule = self.writer.scop, self.schedule
        renamed = {array: constant_name(self.writer, array) for array in schedule.constant}
        streamed = touched_once(self.nest, scop) if schedule.streaming else frozenset()
        kept = {
            *schedule.constant,
            *schedule.rows,
            *schedule.tables,
            *(reference.array for reference in schedule.shared),
        }
        return replace(
            self.writer.printer(),
            renamed=renamed,
            streamed=streamed - kept,
            unroll=schedule.unroll,
            bits=schedule.bits,
            instead=self.with_constant_places(schedule.kept)[0] if schedule.kept else {},
        )

    def with_constant_places(self, arrays: Collection[str]) -> tuple[dict[str, list[Statement]], int]:
        """The statements of leaves with some arrays accessed at constant places, where that is seen, and how many loops that changed."""
        scop = self.writer.scop
        lengths = {array: scop.locals[array].lengths[0] for array in arrays}
        form = ConstantPlaces(lengths, scop.symbols.types, self.writer.fresh)
        found = {leaf.name: form.statements(leaf.statements, self.constant_turns(leaf)) for leaf in self.nest.group}
        return found, form.descents

    def constant_turns(self, leaf: Leaf) -> dict[str, int]:
        """The loops around a leaf inside a thread that constants bound, by their variables, with the number of their turns."""
        found: dict[str, int] = {}
        for variable in leaf.dims:
            values = self.geometry.values(variable, [leaf])
            count = None if variable in self.schedule.loops else constant_count(values)
            if count is not None and constant_value(values.dim_min(0)) is not None:
                found[variable] = count
        return found

    def launch(self, grid: str, block: Sequence[int], **changes: Any) -> Launch:
        """How this nest's kernel is started."""
        written = frozenset(a.array for a in self.nest.accesses if a.kind != READ)
        shape = str(block[0]) if len(block) == 1 else f"dim3({', '.join(map(str, block))})"
        threads = prod(block)
        resident = self.schedule.resident if threads == self.schedule.threads else 0
        bounds = threads if threads > ALWAYS_FIT or resident else 0
        settings: dict[str, Any] = {
            "bounds": bounds,
            "resident": resident,
            "condition": self.condition,
            "restrict": self.schedule.restrict,
            "written": written,
        }
        return Launch(grid=grid, block=shape, **(settings | changes))

    def within(self, leaf: Leaf, fixed: Sequence[str]) -> Any:
        """The iterations of a leaf with the loops in `fixed` set."""
        return self.geometry.box(leaf, {}, fixed)


def constant_name(writer: Writer, array: str) -> str:
    """What an array is called in constant memory."""
    return writer.fresh(f"{array}_constant")


_NO_HINT = frozenset({"bool"})
"""Types for which CUDA has no load and store with a cache hint."""


def touched_once(nest: Nest, scop: Scop) -> frozenset[str]:
    """Arrays with one access in the nest, a read or a plain write, that reaches no element twice."""
    by_array: dict[str, list[Access]] = {}
    for access in nest.accesses:
        if access.array in scop.arrays and isinstance(access.expression, Element):
            by_array.setdefault(access.array, []).append(access)
    return frozenset(
        array
        for array, accesses in by_array.items()
        if len({(a.expression, a.kind, a.leaf.name) for a in accesses}) == 1
        and accesses[0].kind in (READ, WRITE)
        and accesses[0].index is not None
        and accesses[0].map.is_injective()
        and scop.element_type(array) not in _NO_HINT
    )
