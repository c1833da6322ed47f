"""Updates go to a copy in shared memory first."""

from dataclasses import replace

from regrapht.propose.transform.codegen.program import element_counts
from regrapht.propose.transform.nest import Kind, Nest
from regrapht.propose.transform.program import Program
from regrapht.propose.transform.rules.reach import not_mapped
from regrapht.propose.transform.rules.rule import Parameter, Rule, Setting, number
from regrapht.propose.transform.schedule import Schedule


class SharedMemoryHistogram(Rule):
    slug = "shared_memory_histogram"
    title = "updates collected in shared memory"
    condition = "updates of one array at elements that data choose, the array's length known from the task"
    explanation = (
        "Each block updates a copy of the array in shared memory, where atomics are cheap, and adds it to the array once; where the copy "
        "does not fit, the launcher takes the plain way."
    )
    parameters = (Parameter("blocks", (528, 264, 1056)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        reason = not_mapped(program, nest)
        if reason is not None:
            return reason
        if nest.kind is not Kind.SCATTER:
            return "it has no updates at elements that data choose"
        schedule = program.schedules[nest.number]
        if schedule.private or schedule.coarsening:
            return "its updates are collected already, or its threads take several points"
        if len(nest.targets) != 1:
            return "it updates several arrays"
        (array,) = nest.targets
        if array not in program.scop.arrays or nest.shapes.get(array):
            return f"'{array}' is no array of one dimension"
        if array not in element_counts(program.task):
            return f"the task does not say the length of '{array}' as an integer expression"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        blocks = number(setting, "blocks")
        return replace(program.schedules[nest.number], private=True, grid_stride=blocks)
