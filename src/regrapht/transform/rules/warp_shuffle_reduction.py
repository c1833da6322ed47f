"""Partial results combined by warp shuffles."""

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.extremes import extreme_of
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import Combine, Layout, Schedule
from regrapht.transform.rules.block_reduction import BLOCKS, BlockReduction
from regrapht.transform.rules.rule import Parameter, Setting, number


class WarpShuffleReduction(BlockReduction):
    slug = "warp_shuffle_reduction"
    title = "partial results combined by warp shuffles"
    condition = (
        "a reduction over a whole nest, or inside independent outer loops, as under `block_reduction`; a search for the place of the "
        "smallest or largest value of a whole nest"
    )
    explanation = (
        "The threads of a warp exchange their partial results by shuffles, register to register: no shared memory and no barriers but one "
        "value a warp."
    )
    parameters = (Parameter("threads", (256, 128, 32, 512)),)
    combine = Combine.SHUFFLE
    replaces = (Combine.NONE, Combine.TREE)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        schedule = program.schedules.get(nest.number)
        if nest.kind is not Kind.SERIAL or schedule is None:
            return super().reason_against(program, nest, setting)
        if schedule.layout is not Layout.SERIAL:
            return "its threads combine what they find already"
        found = extreme_of(nest, program.scop)
        if isinstance(found, str):
            return f"it runs in one thread ({nest.why_serial}) and is no search for an extreme value: {found}"
        if not program.task.contract.may_allocate:
            return "the task allows no scratch memory"
        return "a warp is too small a block for a whole reduction" if setting["threads"] == 32 else None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        if nest.kind is not Kind.SERIAL:
            return super().change(program, nest, setting)
        loops = tuple(loop.variable for loop in reversed(nest.chain))
        block = (number(setting, "threads"),)
        return Schedule(layout=Layout.EXTREME, loops=loops, block=block, combine=Combine.SHUFFLE, grid_stride=BLOCKS)
