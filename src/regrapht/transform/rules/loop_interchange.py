"""Another loop for neighbouring threads, so that they touch neighbouring elements."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.reach import not_a_map, stride_score
from regrapht.transform.rules.rule import Rule, Setting


class LoopInterchange(Rule):
    slug = "loop_interchange"
    title = "neighbouring threads walk along memory"
    condition = (
        "several parallel loops, and threads along another one would make more accesses with a stride of one element"
    )
    explanation = (
        "The parallel loops change places so that neighbouring threads touch neighbouring elements: a warp's accesses then fall into few "
        "memory transactions."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.layout not in (Layout.LINEAR, Layout.GRID) or schedule.shared or schedule.step or schedule.vector:
            return "its threads are laid out for shared memory, wide accesses or rows already"
        if len(nest.parallel) < 2:
            return "it has only one parallel loop"
        best = self._best(nest, schedule)
        if best == schedule.loops[0]:
            return f"threads along '{best}' use memory best already"
        return None

    @staticmethod
    def _best(nest: Nest, schedule: Schedule) -> str:
        now = stride_score(nest, schedule.loops[0])
        best = max(nest.parallel, key=lambda variable: stride_score(nest, variable))
        return best if stride_score(nest, best) > now else schedule.loops[0]

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        before = program.schedules[nest.number]
        first = self._best(nest, before)
        others = [variable for variable in before.loops if variable != first]
        loops = (first, *others)[: len(before.loops)]
        if before.layout is not Layout.GRID or not before.coarsening:
            return replace(before, loops=loops)
        (many,) = before.coarsening.values()
        return replace(before, loops=loops, coarsening={loops[-1]: many})
