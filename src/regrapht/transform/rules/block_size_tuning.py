"""Another number or shape of threads a block."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Combine, Layout, Schedule
from regrapht.transform.rules.fill import imbalance
from regrapht.transform.rules.memory_coalescing import rows_problem
from regrapht.transform.rules.reach import not_mapped, shared_problem
from regrapht.transform.rules.rule import Parameter, Rule, Setting, shape

_SHAPES: tuple[list[int], ...] = (
    [128],
    [512],
    [64],
    [1024],
    [256],
    [16, 16],
    [32, 4],
    [64, 4],
    [32, 16],
    [128, 2],
    [64, 8],
    [32, 8],
    [8, 8],
    [32, 2, 2],
    [16, 4, 4],
    [64, 2, 2],
    [8, 8, 8],
)


class BlockSizeTuning(Rule):
    slug = "block_size_tuning"
    title = "another block shape"
    condition = "a nest that runs in more than one thread, with a block of another shape than the one tried"
    explanation = (
        "The number of threads a block and their shape decide how many blocks fit on a multiprocessor, how well latency is hidden and "
        "how much a block can share."
    )
    parameters = (Parameter("block", _SHAPES),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        schedule, block = program.schedules[nest.number], setting["block"]
        assert isinstance(block, list)
        if schedule.rows and schedule.layout is Layout.ROWS:
            return "each of its warps takes a row"
        if len(block) != len(schedule.block):
            return f"its blocks have {len(schedule.block)} dimension(s)"
        if tuple(block) == schedule.block:
            return "its blocks have that shape already"
        if self.slug in schedule.techniques:
            return "its block shape was chosen already"
        if schedule.combine is not Combine.NONE and schedule.threads == 32:
            return "a warp takes a row"
        if schedule.rows:
            return rows_problem(program, nest, self.change(program, nest, setting))
        return shared_problem(program, nest, self.change(program, nest, setting)) if schedule.shared else None

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        return imbalance(program, nest, self.change(program, nest, setting))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], block=shape(setting, "block"))
