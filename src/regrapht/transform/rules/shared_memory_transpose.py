"""A tile through shared memory, so that both its load and its store are coalesced."""

from dataclasses import replace

from regrapht.transform.ir.expressions import Element
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Reference, Schedule
from regrapht.transform.polyhedral.loop_tree import READ, Access
from regrapht.transform.rules.fill import imbalance
from regrapht.transform.rules.reach import not_a_map, shared_problem, uses
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number

WARP = 32
BANK_BYTES = 4
"""A tile is loaded by rows and read by columns: rows must start in banks of their own, a bank further each."""


class SharedMemoryTranspose(Rule):
    slug = "shared_memory_transpose"
    title = "reads across memory go through a shared tile"
    condition = "a two-dimensional grid that writes along one loop and reads an array along the other"
    explanation = (
        "A tile is loaded along the rows of the array that is read and used along the rows of the one that is written, so that both sides "
        "are coalesced; the turn happens in shared memory, whose rows are padded so that a column lies in different banks."
    )
    parameters = (Parameter("points", (4, 2, 8)), Parameter("edge", (32, 64)))
    after = ("map_2d",)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.layout is not Layout.GRID or len(schedule.loops) != 2 or schedule.shared or schedule.coarsening:
            return "it needs a two-dimensional grid without tiles and one point a thread"
        along = self._written_along(nest)
        if along not in schedule.loops:
            return "no write walks along memory"
        if not self._arrays(program, nest, along):
            return "every read is coalesced in the order of the writes"
        return shared_problem(program, nest, self.change(program, nest, setting))

    @staticmethod
    def _written_along(nest: Nest) -> str | None:
        for access in nest.accesses:
            if access.kind != READ and access.index and isinstance(access.expression, Element):
                for variable in nest.parallel:
                    if (variable,) in access.index[-1]:
                        return variable
        return None

    @staticmethod
    def _arrays(program: Program, nest: Nest, along: str) -> list[str]:
        """Arrays that are read across `along`."""
        found = []
        for array in nest.read_only(program.scop):
            accesses = [a for a in nest.accesses if a.array == array]
            across = [_reads_across(access, along) for access in accesses]
            if all(across):
                found.append(array)
        return found

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        return imbalance(program, nest, self.change(program, nest, setting))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        before = program.schedules[nest.number]
        along = self._written_along(nest)
        assert along is not None
        other = next(variable for variable in before.loops if variable != along)
        many, sides = number(setting, "points"), number(setting, "edge") // WARP
        coarsening = {other: many * sides} | ({along: sides} if sides > 1 else {})
        arrays = self._arrays(program, nest, along)
        narrowest = min(size_bytes(program.scop.element_type(array)) for array in arrays)
        return replace(
            before,
            loops=(along, other),
            block=(WARP, WARP // many),
            coarsening=coarsening,
            shared=tuple(Reference(array) for array in arrays),
            padding=max(1, BANK_BYTES // narrowest),
        )


def _reads_across(access: Access, along: str) -> bool:
    """Whether neighbouring values of a loop variable reach elements of different rows."""
    if not access.index or not access.certain or len(access.index) < 2:
        return False
    where = uses(access, along)
    return bool(where) and len(access.index) - 1 not in where
