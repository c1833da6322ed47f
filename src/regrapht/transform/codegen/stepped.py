"""A sequential loop cut into steps: the block loads what it needs in a step, then computes from shared memory and registers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from regrapht.source.polynomial import names_in
from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.bit_counts import counted_bits
from regrapht.transform.codegen.geometry import below, constant_count
from regrapht.transform.codegen.grid import GridKernel
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.printer import Printer, UpdateHook
from regrapht.transform.ir.expressions import Element, Variable, walk
from regrapht.transform.ir.scalar_types import signed_index_type, size_bytes
from regrapht.transform.ir.statements import For, If, Statement, Update, While
from regrapht.transform.polyhedral.loop_tree import UPDATE, Access, Leaf, Loop, leaves

MOST_POINTS = 1024
"""Iterations of a step, times points of a thread, that are written out one after another at most."""


@dataclass(frozen=True, slots=True)
class Accumulator:
    """An element that a thread updates in every iteration of the loop, kept in a register meanwhile."""

    access: Access
    name: str
    type: str


def write_stepped(nest: NestWriter) -> list[str]:
    """Lines that launch a nest whose mapped loops are the axes of a grid, and of which a sequential loop is cut into steps."""
    kernel = GridKernel(nest)
    stepped = _Stepped(nest, kernel)
    body = stepped.lines()
    return kernel.launch(body, stepped.held_bytes)


def accumulated(group: list[Leaf], loop: str, is_private: Callable[[str], bool]) -> dict[str, Access]:
    """Updates of arrays whose place does not depend on `loop` and that are all that the group does to the array.

    A place that is written with a name of the loop's own, `y[row + j]`, cannot be named before the loop and is left out.
    """
    found: dict[str, Access] = {}
    for access in [a for leaf in group for a in leaf.accesses]:
        fixed = access.index is not None and not any(loop in names_in(polynomial) for polynomial in access.index)
        if (
            access.kind == UPDATE
            and isinstance(access.expression, Element)
            and fixed
            and access.certain
            and not access.conditions
            and not any(isinstance(part, Variable) and is_private(part.name) for part in walk(access.expression))
        ):
            found.setdefault(access.array, access)
    for access in [a for leaf in group for a in leaf.accesses]:
        kept = found.get(access.array)
        if kept and (access.kind, access.expression, access.operator) != (UPDATE, kept.expression, kept.operator):
            del found[access.array]
    return found


class _Stepped:
    def __init__(self, nest: NestWriter, kernel: GridKernel) -> None:
        self.nest, self.tiles, self.kernel = nest, kernel.tiles, kernel
        self.held_bytes = 0
        """What the loop keeps in registers a thread."""
        self.schedule, self.geometry = nest.schedule, nest.geometry
        coarse = [v for v in reversed(self.schedule.loops) if v in self.schedule.coarsening]
        self.sizes = "".join(f"[{self.schedule.coarsening[v]}]" for v in coarse)
        self.parts = "".join(f"[{kernel.part(v)}]" for v in coarse)

    def lines(self) -> list[str]:
        body = self.nest.body(self.schedule.loops)
        self.fragments = self.nest.fragments(body)
        own = {name: name + self.parts for name in self.nest.local_names()} if self.parts else {}
        plain = self.nest.printer()
        self.printer = replace(plain, replaced={**plain.replaced, **own}, access=self.tiles.access)
        lines = self.nest.local_declarations(self.sizes, cleared=True)
        assert self.schedule.step is not None
        for node in body:
            if isinstance(node, Loop) and node.variable == self.schedule.step.loop:
                lines += self._loop(node)
            else:
                self.tiles.forget()
                code = self.fragments.code([node], self.schedule.loops, self.kernel.known, self.printer)
                lines += ["{", *self.kernel.points(code), "}"]
        return lines

    def _loop(self, loop: Loop) -> list[str]:
        step = self.schedule.step
        assert step is not None
        variable, group, geometry = loop.variable, leaves(loop), self.geometry
        first, type_name = self.nest.writer.fresh(f"{variable}_first"), signed_index_type(loop.type)
        known = self.kernel.known_of_block
        values = geometry.values(variable, group, lambda leaf: geometry.box(leaf, self.kernel.ranges))
        low = geometry.text(values.dim_min(0).gist_params(known), known)
        stop = below(geometry.text(values.dim_max(0).gist_params(known), known))
        guard = geometry.range_guard(values, known)
        ranges = {**self.kernel.ranges, variable: (first, step.size)}
        context = known.intersect(geometry.at_least(first, values.dim_min(0)))
        loads = [line for r in self.schedule.shared for line in self.tiles.load(group, r, ranges, context)]
        accumulators = self._accumulators(group, variable)
        before, after = self._registers(accumulators)
        self.held_bytes = self._held_bytes(accumulators)
        printer = replace(self.printer, update=self._update_hook(accumulators))
        point = self.fragments.code(
            [loop], [*self.schedule.loops, variable], self._inside(group, variable, values), printer
        )
        lines = [
            f"for ({type_name} {first} = {low}; {first} < {stop}; {first} += {step.size}) {{",
            *loads,
            "__syncthreads();",
            *self._turns(loop, first, stop, constant_count(values), self.kernel.points(point)),
            "__syncthreads();",
            "}",
        ]
        return before + ([f"if ({guard}) {{", *lines, "}"] if guard else lines) + after

    def _turns(self, loop: Loop, first: str, stop: str, count: int | None, body: list[str]) -> list[str]:
        """The iterations of one step: a constant number of them, which the compiler can unroll, but for the last step.

        `count` is the number of iterations in all, where that is constant.
        """
        step, variable, type_name = self.schedule.step, loop.variable, signed_index_type(loop.type)
        assert step is not None
        inside = self.nest.writer.fresh(f"{variable}_step")
        whole = [
            *self._unrolled(loop),
            f"for (int {inside} = 0; {inside} < {step.size}; ++{inside}) {{",
            f"const {type_name} {variable} = {first} + {inside};",
            *body,
            "}",
        ]
        rest = [f"for ({type_name} {variable} = {first}; {variable} < {stop}; ++{variable}) {{", *body, "}"]
        if count is not None and count % step.size == 0:
            return whole
        if count is not None and count < step.size:
            return rest
        return [f"if ({first} + {step.size} <= {stop}) {{", *whole, "} else {", *rest, "}"]

    def _unrolled(self, loop: Loop) -> list[str]:
        """The pragma before the loop over a whole step: as the schedule has it, else what keeps straight code within `MOST_POINTS`."""
        step, factor = self.schedule.step, self.schedule.unroll
        assert step is not None
        if not factor and all(self._is_straight(one) for leaf in leaves(loop) for one in leaf.statements):
            points = prod(self.schedule.coarsening.values())
            factor = next(
                f for f in range(min(step.size, 32), 0, -1) if step.size % f == 0 and f * points <= MOST_POINTS
            )
        return [] if factor < 2 else ["#pragma unroll" if factor >= step.size else f"#pragma unroll {factor}"]

    def _is_straight(self, statement: Statement) -> bool:
        types = self.nest.writer.scop.symbols.types
        if self.schedule.bits and isinstance(statement, While) and counted_bits(statement, types) is not None:
            return True
        return not isinstance(statement, If | For | While)

    def _inside(self, group: list[Leaf], variable: str, values: Any) -> Any:
        """What is known inside the loop.

        Where it reads only tiles, filled with zeros outside the array, and writes only registers, threads outside the nest's range may
        compute along: their results are never stored, and the guard falls away.
        """
        geometry = self.geometry
        known = self.kernel.known.intersect(geometry.at_least(variable, values.dim_min(0)))
        held = accumulated(group, variable, self.nest.is_private)
        harmless = all(
            self.nest.is_private(access.array)
            or (access.kind == UPDATE and access.array in held)
            or (isinstance(access.expression, Element) and self.tiles.covers(access.expression))
            for leaf in group
            for access in leaf.accesses
        )
        if harmless:
            for mapped in self.schedule.loops:
                known = known.intersect(geometry.at_most(mapped, self.kernel.bounds[mapped][1]))
        return known.intersect(geometry.at_most(variable, geometry.values(variable, group).dim_max(0)))

    # ---- elements kept in registers

    def _accumulators(self, group: list[Leaf], variable: str) -> list[Accumulator]:
        scop, fresh = self.nest.writer.scop, self.nest.writer.fresh
        return [
            Accumulator(access, fresh(f"{array}_{arithmetic.WORDS[access.operator]}"), scop.element_type(array))
            for array, access in accumulated(group, variable, self.nest.is_private).items()
            if not self.nest.is_private(array)
        ]

    def _registers(self, accumulators: list[Accumulator]) -> tuple[list[str], list[str]]:
        """Lines that load the accumulators before the loop, and that store them after it."""
        before: list[str] = []
        after: list[str] = []
        for kept in accumulators:
            leaf, name = kept.access.leaf, kept.name + self.parts
            inside = leaf.domain.intersect(self.geometry.box(leaf, {}, self.schedule.loops)).params()
            guard = self.geometry.guard(inside, self.kernel.known)
            place = self.nest.printer().expression(kept.access.expression)
            before.append(f"{kept.type} {kept.name}{self.sizes} = {'{}' if self.sizes else '0'};")
            for lines, line in ((before, f"{name} = {place};"), (after, f"{place} = {name};")):
                lines += ["{", *self.kernel.points([f"if ({guard}) {{", line, "}"] if guard else [line]), "}"]
        return before, after

    def _held_bytes(self, accumulators: list[Accumulator]) -> int:
        """What a thread keeps in registers for all of its points over the whole loop, in bytes."""
        types = [self.nest.writer.scop.locals[name].type for name in self.nest.local_names()]
        types += [kept.type for kept in accumulators]
        return sum(map(size_bytes, types)) * prod(self.schedule.coarsening.values())

    def _update_hook(self, accumulators: list[Accumulator]) -> UpdateHook:
        by_place = {kept.access.expression: kept for kept in accumulators}

        def update(statement: Update, printer: Printer) -> str | None:
            kept = by_place.get(statement.target)
            if kept is None or isinstance(statement.target, Variable):
                return None
            return printer.updated(statement, kept.name + self.parts, kept.type)

        return update
