"""The innermost loops of a thread, unrolled."""

from dataclasses import replace

from regrapht.propose.transform.nest import Nest
from regrapht.propose.transform.program import Program
from regrapht.propose.transform.rules.reach import not_mapped, sequential_loops
from regrapht.propose.transform.rules.rule import Parameter, Rule, Setting, number
from regrapht.propose.transform.schedule import Layout, Schedule


class LoopUnrolling(Rule):
    slug = "loop_unrolling"
    title = "innermost loops unrolled"
    condition = "a sequential loop inside a thread"
    explanation = (
        "The compiler is told to unroll the innermost sequential loop: fewer branches, and the loads of several iterations in flight "
        "at once."
    )
    parameters = (Parameter("factor", (4, 8, 2, 16)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        reason = not_mapped(program, nest)
        if reason is not None:
            return reason
        schedule = program.schedules[nest.number]
        if schedule.unroll:
            return "its loops are unrolled already"
        loops = sequential_loops(nest, schedule)
        shared = schedule.layout is Layout.ROWS
        deep = [loop for loop in loops if not shared or any(loop in other.children for other in loops)]
        return None if deep else "no sequential loop is left inside a thread"

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], unroll=number(setting, "factor"))
