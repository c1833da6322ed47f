"""Two parallel loops as a two-dimensional grid."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.fill import imbalance
from regrapht.transform.rules.reach import not_a_map
from regrapht.transform.rules.rule import Parameter, Rule, Setting, shape


class Map2D(Rule):
    slug = "map_2d"
    title = "a two-dimensional grid over two parallel loops"
    condition = "at least two loops with independent iterations, mapped as numbered points"
    explanation = (
        "Two parallel loops become the axes of a grid, so that a block covers a compact patch of points whose neighbours share data in "
        "the caches, and no thread divides to find its place."
    )
    parameters = (Parameter("block", ([32, 8], [16, 16], [64, 4], [32, 4], [128, 2])),)
    axes = 2

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if len(schedule.loops) < self.axes:
            return f"it has {len(schedule.loops)} parallel loop(s), not {self.axes}"
        if (
            schedule.layout is not Layout.LINEAR
            or schedule.grid_stride
            or schedule.coarsening
            or schedule.vector
            or schedule.rows
        ):
            return "its points are spread over threads in another way already"
        return None

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        return imbalance(program, nest, self.change(program, nest, setting))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        before = program.schedules[nest.number]
        block = shape(setting, "block")
        return replace(before, layout=Layout.GRID, loops=before.loops[: self.axes], block=block)
