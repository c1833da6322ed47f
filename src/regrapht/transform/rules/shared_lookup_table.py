"""Small arrays that data choose elements of, in shared memory."""

from dataclasses import replace

from regrapht.transform.codegen.program import element_counts
from regrapht.transform.ir.names import internal_name
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import SHARED_BYTES, Layout, Schedule
from regrapht.transform.rules.reach import not_a_map
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number

MOST_BYTES = SHARED_BYTES // 2
"""At the timed size, so that several blocks fit on a processor."""


class SharedLookupTable(Rule):
    slug = "shared_lookup_table"
    title = "tables that data choose elements of are copied to shared memory by each block"
    condition = "numbered points, one a thread, and small arrays, only read, whose elements data choose and whose lengths the task says"
    explanation = (
        "Each block copies the tables to shared memory once and strides over many points: lanes that read different entries cost bank "
        "conflicts there, and no sectors of memory; where the tables turn out too long, the launcher takes a kernel without copies."
    )
    parameters = (Parameter("blocks", (1056, 528, 2112, 264)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.tables:
            return "its blocks copy tables already"
        if schedule.layout is not Layout.LINEAR or schedule.grid_stride or schedule.coarsening or schedule.rows:
            return "its points are not numbered one a thread"
        if not self._tables(program, nest):
            return f"it reads no array of at most {MOST_BYTES} bytes at places that data choose, or the task does not say its length"
        return None

    @staticmethod
    def _tables(program: Program, nest: Nest) -> tuple[str, ...]:
        """Arrays that are only read, at places that data choose, and fit together at the timed size; the widest elements first."""
        counts, constant = element_counts(program.task), program.schedules[nest.number].constant
        sizes = (*program.task.check_sizes, *program.task.bench_sizes)[-1]
        known = {
            internal_name(arg.name): arg.size_bytes(sizes)
            for arg in program.task.args
            if internal_name(arg.name) in counts
        }
        chosen = {access.array for access in nest.accesses if access.index is None}
        left, found = MOST_BYTES, []
        for array in sorted(known.keys() & chosen & set(nest.read_only(program.scop)), key=lambda one: known[one]):
            if known[array] <= left and array not in program.scop.function.fields and array not in constant:
                left -= known[array]
                found.append(array)
        return tuple(sorted(found, key=lambda one: (-size_bytes(program.scop.element_type(one)), one)))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        tables = self._tables(program, nest)
        return replace(program.schedules[nest.number], tables=tables, grid_stride=number(setting, "blocks"))
