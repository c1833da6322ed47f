"""Partial results of a block's threads combined in shared memory."""

from dataclasses import replace
from math import log2

from regrapht.transform.codegen.row_loops import LEAST_ITERATIONS
from regrapht.transform.codegen.row_phases import Phase, row_phases
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import Combine, Finish, Layout, Schedule
from regrapht.transform.polyhedral.loop_tree import Loop
from regrapht.transform.rules.fill import mean_turns
from regrapht.transform.rules.reach import not_mapped, probe, strides, strides_of_text, trip_count
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number

BLOCKS = 264
"""Blocks of a whole-nest reduction: two for each multiprocessor of a large device."""


WARP = 32
TURNS_EACH = 4
"""Turns of a row's loop for each thread: fewer are not worth the combination."""
MOST_WANTED = 256
"""Threads a row, however long it is: more wait longer for each other."""


class BlockReduction(Rule):
    slug = "block_reduction"
    title = "a block's partial results combined by a tree in shared memory"
    condition = (
        "a reduction over a whole nest, or inside independent outer loops; there the bounds of its loop may be data, as those of a sparse "
        "matrix' row"
    )
    explanation = (
        "The threads of a block share one reduction: each combines its own part, then a tree in shared memory makes one value of them in "
        "a logarithmic number of steps."
    )
    parameters = (Parameter("threads", (256, 128, 512)),)
    combine = Combine.TREE
    replaces: tuple[Combine, ...] = (Combine.NONE,)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        schedule, threads = program.schedules[nest.number], setting["threads"]
        if schedule.combine not in self.replaces:
            return "its blocks combine their results already"
        if nest.kind is Kind.SCATTER:
            return "its updates go to elements that data or index choose"
        if nest.kind is Kind.REDUCE:
            return "a warp is too small a block for a whole reduction" if threads == 32 else None
        if schedule.layout is Layout.ROWS:
            return None
        if schedule.layout is not Layout.LINEAR or schedule.grid_stride or schedule.coarsening or schedule.vector:
            return "its points are spread over threads in another way already"
        if schedule.rows:
            return "its threads read rows of their own from shared memory"
        phases = row_phases(nest, nest.parallel, program.scop)
        return phases if isinstance(phases, str) else self._too_small_or_strided(program, nest, phases)

    @staticmethod
    def _too_small_or_strided(program: Program, nest: Nest, phases: list[Phase]) -> str | None:
        """Why the loops that threads would share are not worth it."""
        writer = probe(program, nest, program.schedules[nest.number])
        for phase in phases:
            for shared in phase.loops:
                good, bad = strides_of_text(nest, shared.loop.variable)
                if bad >= max(good, 1):
                    return f"neighbouring threads along '{shared.loop.variable}' would not use neighbouring elements"
            if not isinstance(phase.node, Loop):
                continue
            variable = phase.node.variable
            trips = trip_count(writer, variable)
            if trips is not None and trips < LEAST_ITERATIONS:
                return f"the loop over '{variable}' has only {trips} iterations"
            good, bad = strides(nest, variable)
            if bad >= max(good, 1):
                return f"neighbouring threads along '{variable}' would not use neighbouring elements"
        return None

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        """Where data choose how long rows are: how far the threads are, in doublings, from a few turns each in a row of mean length.

        That is no more than a guess: one warp, which wastes least on short rows, where the task does not say how many entries there are.
        """
        if nest.kind is not Kind.MAP:
            return 0.0
        phases = row_phases(nest, nest.parallel, program.scop)
        loops = [] if isinstance(phases, str) else [one.loop.variable for phase in phases for one in phase.loops]
        if not loops:
            return 0.0
        turns = max(mean_turns(program, nest, variable) or 0.0 for variable in loops)
        wanted = min(max(turns / TURNS_EACH, WARP), MOST_WANTED)
        return abs(log2(number(setting, "threads") / wanted))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        before = program.schedules[nest.number]
        block = (number(setting, "threads"),)
        if nest.kind is Kind.REDUCE:
            blocks = BLOCKS if before.finish is Finish.THREAD else before.grid_stride
            return replace(before, combine=self.combine, block=block, grid_stride=blocks)
        return replace(
            before, layout=Layout.ROWS, combine=self.combine, block=block, loops=tuple(reversed(nest.parallel))
        )
