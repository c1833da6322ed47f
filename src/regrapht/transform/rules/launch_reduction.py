"""Turns of the launcher that share a buffer get one each, and run in one launch."""

from regrapht.transform.ir.statements import For
from regrapht.transform.normalise.distribution_by_expansion import (
    loops_at,
    nests_inside,
    with_turns_distributed,
    with_turns_expanded,
)
from regrapht.transform.plan.analysis import Analysis, Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.rules.regrouping import Regrouping, only_mapped, same_nests
from regrapht.transform.rules.rule import Parameter, Setting, number


class LaunchReduction(Regrouping):
    slug = "launch_reduction"
    title = "one launch for all turns, each with scratch of its own"
    condition = (
        "the first nest inside a loop of the launcher, or a nest that one thread runs: the loop counts up from 0, and its turns share "
        "only scratch that each of them writes before it reads it, and elements that all of them add up into"
    )
    explanation = (
        "Each turn gets its own part of longer scratch, so that nothing is handed from turn to turn and all of them run in one launch in "
        "place of one after the other. What all turns add up into gets a launch of its own after it."
    )

    parameters = (Parameter("loop", (1, 2, 3)),)
    """Which one, the innermost being the first."""

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := only_mapped(program, nest):
            return reason
        loop = _chosen(program, nest, setting)
        if loop is None:
            return "no such loop of the launcher is around it"
        inside = nests_inside(program, loop)
        if nest is not inside[0]:
            return f"nest {inside[0].number} comes first in the loop around it"
        if any(only_mapped(program, other) for other in inside):
            return "other techniques changed a nest of that loop already"
        if self.regrouped(program, nest, setting) is None:
            return "the turns of the loop share more than scratch and sums"
        return None

    def replaces(self, program: Program, nest: Nest, after: Analysis) -> int:
        return len(_side_by_side(nest, after)) - (len(after.nests) - len(program.nests))

    def analysis_after(self, program: Program, nest: Nest, setting: Setting) -> Analysis | None:
        loop = _chosen(program, nest, setting)
        ways = (with_turns_expanded, with_turns_distributed)
        made = [] if loop is None else [(loop, way(program, loop)) for way in ways]
        return next((after for loop, after in made if after and _is_free(program, nest, loop, after)), None)


def _chosen(program: Program, nest: Nest, setting: Setting) -> For | None:
    loops, place = loops_at(program, nest), number(setting, "loop")
    loop = loops[place - 1] if place <= len(loops) else None
    return (
        None if loop is not None and loop.left_by_flag else loop
    )  # what a turn computes says whether there is a next one


def _is_free(program: Program, nest: Nest, loop: For, after: Analysis) -> bool:
    """Whether the turns of the loop need no order any more, and all other nests are what they were."""
    before, now = len(nests_inside(program, loop)), _side_by_side(nest, after)
    if not same_nests(program, after, nest.number, before=before, now=len(now)):
        return False
    free = [one.kind is not Kind.SERIAL and one.root.variable in (*one.parallel, *one.reduced) for one in now]
    return all(free) and any(loop.variable in one.parallel for one in now)


def _side_by_side(nest: Nest, after: Analysis) -> list[Nest]:
    """The nests that a loop of the launcher around `nest` became, one after the other."""
    following = after.nests[nest.number - 1 :]
    outer = following[0].host_loops if following else ()
    loops = (*nest.host_loops, nest.root.variable)
    if loops[: len(outer)] != outer or len(outer) == len(loops):
        return []
    root = (loops[len(outer)], following[0].root.line)
    same = [(one.root.variable, one.root.line) == root and one.host_loops == outer for one in following]
    return following[: same.index(False)] if False in same else following
