"""A patch of points a thread, kept in registers over a stepped loop."""

from dataclasses import replace
from math import prod

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Schedule
from regrapht.transform.rules.fill import imbalance
from regrapht.transform.rules.reach import not_a_map, shared_problem
from regrapht.transform.rules.rule import Parameter, Rule, Setting, shape

MOST_REGISTERS = 64
"""Values of four bytes for the points of a patch, beside which there is room for what feeds them."""


class RegisterTiling(Rule):
    slug = "register_tiling"
    title = "a patch of points a thread, in registers"
    condition = "a loop in steps with shared tiles"
    explanation = (
        "Each thread computes a patch of points whose sums stay in registers, so that every value read from shared memory is used "
        "several times."
    )
    after = ("shared_memory_tiling",)
    parameters = (Parameter("patch", ([4, 4], [2, 2], [8, 8], [2, 4], [1, 8])),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.step is None:
            return "it needs shared_memory_tiling first"
        if schedule.coarsening:
            return "its threads have a patch already"
        if len(schedule.loops) != len(shape(setting, "patch")):
            return "its threads lie in one row"
        return shared_problem(program, nest, self.change(program, nest, setting))

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        """Cycles a point on the units for shared memory or those for products, whichever are busier, on the processor with most blocks.

        A multiprocessor of compute capability 9.0 reads 32 words of shared memory and multiplies 128 pairs of floats a cycle.
        """
        schedule = self.change(program, nest, setting)
        points = prod(shape(setting, "patch"))
        loads = sum(points // edge for edge in shape(setting, "patch"))
        fits = points <= MOST_REGISTERS
        return max(loads, points / 4) / points * imbalance(program, nest, schedule) * (1 if fits else loads)

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        before = program.schedules[nest.number]
        patch = zip(before.loops, shape(setting, "patch"), strict=True)
        return replace(before, coarsening={variable: many for variable, many in patch if many > 1})
