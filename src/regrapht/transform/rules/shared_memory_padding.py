"""A column more in every shared tile."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Schedule
from regrapht.transform.rules.reach import footprint_of, not_a_map, shared_problem
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class SharedMemoryPadding(Rule):
    slug = "shared_memory_padding"
    title = "shared tiles with a column more"
    condition = "shared tiles of two or more dimensions"
    explanation = (
        "A column that is never used makes the rows of a tile start in different banks, so that threads reading down a column do not wait "
        "for one another."
    )
    parameters = (Parameter("columns", (1, 4)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if not schedule.shared:
            return "it has no shared tiles"
        if self.slug in schedule.techniques or schedule.padding == number(setting, "columns"):
            return "its tiles are padded already"
        boxes = [footprint_of(program, nest, schedule, reference) for reference in schedule.shared]
        if all(isinstance(box, str) or len(box.sizes) < 2 for box in boxes):
            return "its tiles have one dimension"
        return shared_problem(program, nest, self.change(program, nest, setting))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], padding=number(setting, "columns"))
