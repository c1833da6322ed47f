"""Turns of the launcher that share a buffer get one each, and run in one launch."""

from regrapht.propose.transform.frontend.statements import For
from regrapht.propose.transform.nest import Kind, Nest
from regrapht.propose.transform.program import Analysis, Program
from regrapht.propose.transform.restructure import loop_around, private_buffers, with_buffers_apart
from regrapht.propose.transform.rules.regrouping import Regrouping, only_mapped, same_nests
from regrapht.propose.transform.rules.rule import Setting


class LaunchReduction(Regrouping):
    slug = "launch_reduction"
    title = "one launch for all turns, each with a buffer of its own"
    condition = (
        "the first nest inside a loop of the launcher that counts up from 0, whose turns wait for each other only because they share "
        "buffers that each of them sets as a whole first"
    )
    explanation = (
        "Each turn gets its own part of a longer buffer, so that nothing is handed from turn to turn and all of them run in one launch in "
        "place of one after the other."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        reason = only_mapped(program, nest)
        if reason is not None:
            return reason
        if not nest.host_loops:
            return "no loop of the launcher is around it"
        beside = _inside(program, nest)
        if nest is not beside[0]:
            return f"nest {beside[0].number} comes first in the loop around it"
        if any(only_mapped(program, other) for other in beside):
            return "other techniques changed a nest of that loop already"
        loop = loop_around(program, nest)
        if loop is None or not private_buffers(program, loop):
            return "no buffer is set anew in every turn of the loop around it"
        if self.regrouped(program, nest, setting) is None:
            return "the turns of the loop around it share more than buffers"
        return None

    def analysis_after(self, program: Program, nest: Nest, setting: Setting) -> Analysis | None:
        loop = loop_around(program, nest)
        after = None if loop is None else with_buffers_apart(program, loop)
        before = len(_inside(program, nest))
        if after is None or not same_nests(program, after, nest.number, before=before, now=1):
            return None
        whole = after.nests[nest.number - 1]
        apart = whole.kind is Kind.MAP and isinstance(loop, For) and whole.parallel[:1] == [loop.variable]
        return after if apart and whole.root.variable == nest.host_loops[-1] else None


def _inside(program: Program, nest: Nest) -> list[Nest]:
    """The nests of the innermost launcher's loop around `nest`, those of loops inside it included."""
    depth = len(nest.host_loops)
    return [other for other in program.nests if other.host_loops[:depth] == nest.host_loops]
