"""A second kernel whose block combines what the first one's blocks left."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import Combine, Finish, Schedule
from regrapht.transform.rules.reach import not_mapped
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class TwoStageReduction(Rule):
    slug = "two_stage_reduction"
    title = "a block of a second kernel combines the partial results"
    condition = "a reduction over a whole nest"
    explanation = (
        "Blocks store their partial results and a whole block of a second kernel combines these: no atomics, the same result every time, "
        "and enough blocks in the first stage to fill the device."
    )
    parameters = (Parameter("blocks", (1056, 528, 264)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        if nest.kind is not Kind.REDUCE:
            return "it is no reduction of the whole nest"
        schedule = program.schedules[nest.number]
        if schedule.finish is not Finish.THREAD:
            return "its results are finished in parallel already"
        if nest.copies and schedule.combine is Combine.NONE:
            return (
                "the copies of an array that all its threads would leave are too many: combine those of a block first"
            )
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        blocks = number(setting, "blocks")
        return replace(program.schedules[nest.number], finish=Finish.BLOCK, grid_stride=blocks)
