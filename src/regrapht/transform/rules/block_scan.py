"""Prefix sums and the like by blocks of threads."""

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.scans import scan_of
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class BlockScan(Rule):
    slug = "block_scan"
    title = "a running value found by blocks of threads"
    condition = (
        "one loop, up or down one by one, whose iterations meet only in running sums, products, minima or maxima, of which one may add "
        "to another, "
        "in values that each turn makes from those before by factors and a summand, by a step within bounds, or by a table of few states, "
        "or in an element and the one before it, as in `x[i] = x[i - 1] + ...`"
    )
    explanation = (
        "Blocks first find what their iterations add, one block turns these into starting values, and then every block finds its running "
        "values by shuffles in and across warps: a loop that had to wait for itself becomes three parallel kernels, and two more for each "
        "value that hangs on another one."
    )
    parameters = (Parameter("threads", (256, 128, 512)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        schedule = program.schedules.get(nest.number)
        if schedule is None:
            return "it is not mapped to threads yet"
        if schedule.layout is Layout.SCAN:
            return "its running values are found by blocks already"
        found = scan_of(nest, program.scop)
        if isinstance(found, str):
            return found
        return None if program.task.contract.may_allocate else "the task allows no scratch memory"

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return Schedule(layout=Layout.SCAN, loops=(nest.root.variable,), block=(number(setting, "threads"),))
