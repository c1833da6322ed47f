"""What the rules share that change how many nests a function has."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace

from regrapht.transform.ir.statements import For, If, Statement, While, every
from regrapht.transform.plan.analysis import Analysis, Program, reanalysed
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Schedule
from regrapht.transform.polyhedral.loop_tree import loop_key
from regrapht.transform.rules.map_to_threads import MapToThreads
from regrapht.transform.rules.rule import Rule, Setting

_PLAIN = MapToThreads()
_CUTS = 4
"""Of a nest that was a loop of the launcher around several."""


class Regrouping(Rule):
    """Joins or cuts nests, and gives the new ones the plain mapping."""

    one_nest = True

    @abstractmethod
    def analysis_after(self, program: Program, nest: Nest, setting: Setting) -> Analysis | None:
        """The function analysed with other nests; None where that would change what it computes, or cannot be done."""

    @abstractmethod
    def replaces(self, program: Program, nest: Nest, after: Analysis) -> int:
        """How many nests, from `nest` on, others stand for in `after`."""

    def regrouped(self, program: Program, nest: Nest, setting: Setting) -> Analysis | None:
        """`analysis_after`, kept with the analysis that it changes."""
        key = (self.slug, nest.number, *sorted(setting.items()))
        kept = program.analysis.regrouped
        if key not in kept:
            kept[key] = self.analysis_after(program, nest, setting)
            for other in program.nests:
                other.prepare(program.scop)
        return kept[key]

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        """Not used: `applied` makes a program of its own."""
        return program.schedules[nest.number]

    def applied(self, program: Program, nest: Nest, setting: Setting) -> Program:
        after = self.regrouped(program, nest, setting)
        assert after is not None
        more = len(after.nests) - len(program.nests)
        gone = range(nest.number, nest.number + self.replaces(program, nest, after))
        fresh = range(nest.number, gone.stop + more)
        moved = {k if k < nest.number else k + more: s for k, s in program.schedules.items() if k not in gone}
        new = Program(after, {k: s for k, s in moved.items() if k not in fresh})
        # A nest that one thread ran says nothing of blocks.
        block = max(program.schedules[number].block[0] for number in gone)
        before = program.schedules[nest.number].techniques
        for k in fresh:
            own = after.nests[k - 1]
            own.prepare(after.scop)
            plain = _PLAIN.change(new, own, {"block": block})
            new = new.with_schedule(own, replace(plain, techniques=(*before, self.slug)))
        return new


def only_mapped(program: Program, nest: Nest) -> str | None:
    """Why a nest cannot be regrouped: something else was decided for it already, or nothing yet."""
    schedule = program.schedules.get(nest.number)
    if schedule is None:
        return "it is not mapped to threads yet"
    if set(schedule.techniques) - {_PLAIN.slug, "launch_reduction", "kernel_fusion", "kernel_fission"}:
        return "other techniques changed it already"
    cuts = schedule.techniques.count("kernel_fission")
    most = _CUTS if "launch_reduction" in schedule.techniques else 1
    if "kernel_fusion" in schedule.techniques or cuts >= most:
        return "it was joined or cut already"
    return None


def same_nests(program: Program, after: Analysis, number: int, *, before: int, now: int) -> bool:
    """Whether all nests but the `before` ones from `number` on, which became `now` ones, are what they were."""
    old = [*program.nests[: number - 1], *program.nests[number - 1 + before :]]
    new = [*after.nests[: number - 1], *after.nests[number - 1 + now :]]
    return len(after.nests) == len(program.nests) - before + now and all(
        (a.kind, a.root.variable, a.host_loops, a.parallel, a.reduced, a.targets)
        == (b.kind, b.root.variable, b.host_loops, b.parallel, b.reduced, b.targets)
        for a, b in zip(old, new, strict=True)
    )


# ---- another function


Edit = Callable[[list[Statement], int], list[Statement] | None]
"""Given a list of statements and the position of a loop in it, the list that replaces it; None where that cannot be done."""


def edited(program: Program, nest: Nest, edit: Edit) -> Analysis | None:
    """The program's function analysed again after an edit where `nest` stands; None where the edit or the analysis does not work out."""
    body = program.analysis.function.body
    key = loop_key(nest.root)
    here = [other for other in program.nests if loop_key(other.root) == key]
    places = [one for one in every(body) if isinstance(one, For) and loop_key(one) == key]
    if len(places) != len(here):
        return None
    changed = _replaced(body, places[here.index(nest)], edit)
    if changed is None:
        return None
    return reanalysed(program.analysis, replace(program.analysis.function, body=changed))


def _replaced(statements: list[Statement], loop: For, edit: Edit) -> list[Statement] | None:
    for position, statement in enumerate(statements):
        if statement is loop:
            return edit(statements, position)
        if not isinstance(statement, For | If | While):
            continue
        for name in ("then", "otherwise") if isinstance(statement, If) else ("body",):
            inside = _replaced(getattr(statement, name), loop, edit)
            if inside is not None:
                return [*statements[:position], replace(statement, **{name: inside}), *statements[position + 1 :]]  # type: ignore[arg-type]
    return None
