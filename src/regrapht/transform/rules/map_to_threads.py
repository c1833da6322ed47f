"""The plain mapping, from which every other rule starts."""

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import Finish, Layout, Schedule
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number

PLAIN_REDUCTION_BLOCKS = 32
"""Blocks of a reduction in its plain form: few enough for one thread to add up what they leave."""


class MapToThreads(Rule):
    slug = "map_to_threads"
    title = "one thread an output element"
    condition = "any nest; without independent iterations it runs in one thread"
    explanation = (
        "Independent iterations become threads, numbered so that neighbouring threads take neighbouring iterations of the innermost "
        "parallel loop; a reduction of a whole nest leaves one partial result a thread."
    )
    parameters = (Parameter("block", (256, 128, 512, 64)),)
    all_nests = True

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        return "it is mapped to threads already" if nest.number in program.schedules else None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        block = (number(setting, "block"),)
        if nest.kind is Kind.SERIAL:
            return Schedule(layout=Layout.SERIAL, block=(1,))
        loops = tuple(reversed(nest.parallel if nest.kind is Kind.MAP else nest.reduced))
        if nest.kind is not Kind.REDUCE:
            return Schedule(layout=Layout.LINEAR, loops=loops, block=block)
        if not program.task.contract.may_allocate:
            return Schedule(layout=Layout.SERIAL, block=(1,))
        return Schedule(
            layout=Layout.LINEAR,
            loops=loops,
            block=block,
            grid_stride=PLAIN_REDUCTION_BLOCKS,
            finish=Finish.THREAD,
        )
