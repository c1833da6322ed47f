"""Several points a thread."""

from dataclasses import replace

from regrapht.transform.codegen.linear import POINT
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.fill import imbalance
from regrapht.transform.rules.reach import not_mapped, shared_problem
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class ThreadCoarsening(Rule):
    slug = "thread_coarsening"
    title = "several points a thread"
    condition = "points mapped one a thread, by number or on a grid, without a stepped loop"
    explanation = (
        "Each thread computes several points a block apart: index arithmetic and loads that the points share are paid once, and "
        "independent work hides latency, while accesses stay coalesced."
    )
    parameters = (Parameter("points", (2, 4, 8)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if nest.kind is Kind.REDUCE or schedule.grid_stride:
            return "its threads take several points already, by a stride"
        if schedule.layout not in (Layout.LINEAR, Layout.GRID) or schedule.coarsening or schedule.step:
            return "its threads take several points already, or share rows or steps"
        if schedule.rows:
            return "its blocks copy the rows of one point a thread"
        return shared_problem(program, nest, self.change(program, nest, setting)) if schedule.shared else None

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        return imbalance(program, nest, self.change(program, nest, setting))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        before = program.schedules[nest.number]
        key = POINT if before.layout is Layout.LINEAR else before.loops[-1]
        return replace(before, coarsening={key: number(setting, "points")})
