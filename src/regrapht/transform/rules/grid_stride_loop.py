"""A fixed number of blocks whose threads stride over all points."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.reach import not_mapped
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class GridStrideLoop(Rule):
    slug = "grid_stride_loop"
    title = "a fixed number of blocks strides over all points"
    condition = "numbered points, one a thread"
    explanation = (
        "A number of blocks that fills the device once is launched and each thread takes points a whole grid apart: accesses stay "
        "coalesced, set-up is paid once a thread, and any size fits any launch."
    )
    parameters = (Parameter("blocks", (1056, 528, 2112, 264)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if nest.kind is Kind.REDUCE or schedule.grid_stride:
            return "its threads stride over the grid already"
        if schedule.layout is not Layout.LINEAR or schedule.coarsening or schedule.rows:
            return "its points are not numbered one a thread"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], grid_stride=number(setting, "blocks"))
