"""Small arrays that all threads read alike, in constant memory."""

from dataclasses import replace

from regrapht.transform.codegen.constants import constant_bytes
from regrapht.transform.codegen.program import element_counts
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.reach import not_a_map, uses
from regrapht.transform.rules.rule import Rule, Setting

MOST_BYTES = 48 * 1024
"""Of the 64 KB of constant memory; the rest is left to tables of the source."""


class ConstantMemory(Rule):
    slug = "constant_memory"
    title = "small tables in constant memory"
    condition = "an array, only read, whose place does not depend on the thread, and whose length the task says"
    explanation = (
        "The launcher copies an array that all threads read at the same places to constant memory, which hands one value to a whole warp "
        "in one access; where the array turns out too long for it, it launches the kernel without."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.constant:
            return "it reads constant memory already"
        if schedule.layout not in (Layout.LINEAR, Layout.GRID):
            return "the threads of a block share the loops inside"
        if not self._uniform(program, nest):
            return "it reads no array at places that are the same for all threads, or the task does not say its length"
        counts = element_counts(program.task)
        arrays = {*self._uniform(program, nest), *(a for s in program.schedules.values() for a in s.constant)}
        total = sum(constant_bytes(counts[array], program.scop.element_type(array)) for array in arrays)
        return f"its arrays need {total} bytes of constant memory" if total > MOST_BYTES else None

    @staticmethod
    def _uniform(program: Program, nest: Nest) -> tuple[str, ...]:
        """Arrays that the nest only reads, at places that no mapped loop moves."""
        schedule, counts = program.schedules[nest.number], element_counts(program.task)
        tiled = {reference.array for reference in schedule.shared}
        return tuple(
            array
            for array in nest.read_only(program.scop)
            if array in counts
            and array not in program.scop.function.fields
            and array not in tiled
            and all(
                a.index is not None and not any(uses(a, variable) for variable in schedule.loops)
                for a in nest.accesses
                if a.array == array
            )
        )

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], constant=self._uniform(program, nest))
