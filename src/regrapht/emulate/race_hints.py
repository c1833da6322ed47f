"""What would mend a race: one hint for all pairs of accesses that one missing barrier leaves without an order.

The runtime tells of each pair which threads raced (`Scope`) and where these had synchronised last. From there the path of a thread leads to
one access and then to the other: in the order of the text, or through the end of a loop's body to the next turn.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from regrapht.emulate.barrier_places import BarrierPlaces, Gap, Loop
from regrapht.records.verdict import Finding

PLACED = tuple(f"race_{space}_{order}" for space in ("shared", "global") for order in ("ww", "wr", "rw"))
"""The kinds whose hint names a place; the others have the hint of their kind."""
_MOST_PLACED = 64
"""Pairs whose place is looked for; a report with more tells of so many causes that the first ones come first."""
_ATOMIC_OR_OWN = "Let each element be written by one thread only, or use an atomic operation."


class Scope(StrEnum):
    """The widest group of threads in which a pair of accesses raced."""

    NONE = ""
    WARP = "warp"
    BLOCK = "block"
    GRID = "grid"
    """Blocks of a cooperative launch."""
    BLOCKS = "blocks"
    """Blocks of any other launch: nothing can order them."""
    STREAMS = "streams"


_WIDTH = tuple(Scope)
_BARRIERS = {
    Scope.WARP: "__syncthreads() (inside one warp: __syncwarp())",
    Scope.BLOCK: "__syncthreads()",
    Scope.GRID: "grid.sync()",
}


@dataclass(frozen=True, slots=True)
class Race:
    """A finding with what its mending depends on."""

    finding: Finding
    scope: Scope = Scope.NONE
    since: frozenset[int] = frozenset()
    """Lines where the threads had synchronised last; 0 is the kernel's start, -1 a place that has none."""
    guess: bool = False
    """The other access is that of a thread that did the same at the same time, perhaps in another line."""

    def with_more(self, other: "Race") -> "Race":
        """This one and another one of the same kind and lines, with all their counts."""
        return Race(
            replace(self.finding, count=self.finding.count + other.finding.count),
            max(self.scope, other.scope, key=_WIDTH.index),
            self.since | other.since,
            guess=self.guess and other.guess,
        )

    @property
    def lines(self) -> tuple[int, int]:
        """Both lines, in the order of the text; 0 for one that is not known."""
        one, other = self.finding.line or 0, self.finding.other_line or 0
        return min(one, other), max(one, other)


@dataclass(slots=True, eq=False)
class _Mend:
    """One pair's part in a hint."""

    kernel: str | None
    lines: tuple[int, int]
    scope: Scope
    gap: Gap | None = None
    turn: Loop | None = None
    """The loop at whose end a barrier is missing."""
    otherwise: str = ""
    """The whole hint, where neither applies."""


def with_places(races: Sequence[Race], source: str) -> list[Finding]:
    """The findings; those of `PLACED` kinds with a hint that names where the barrier belongs, equal for all that one barrier mends."""
    places = BarrierPlaces(source)
    placed = [index for index, race in enumerate(races) if _placed(race)][:_MOST_PLACED]
    written = {(races[i].finding.kernel, races[i].lines) for i in placed if races[i].finding.kind.endswith("_ww")}
    mends = {
        i: _mend(races[i], places, accumulates=(races[i].finding.kernel, races[i].lines) in written) for i in placed
    }
    _leave_to_turns(mends.values())
    _join_gaps(mends.values())
    _join_turns(mends.values())
    return [replace(race.finding, hint=_hint(mends[i])) if i in mends else race.finding for i, race in enumerate(races)]


def _placed(race: Race) -> bool:
    return race.finding.kind in PLACED and race.scope in (*_BARRIERS, Scope.BLOCKS) and race.lines[0] > 0


def _mend(race: Race, places: BarrierPlaces, *, accumulates: bool) -> _Mend:
    first, second = race.lines
    loop = places.loop(first, second)
    mend = _Mend(race.finding.kernel, race.lines, race.scope)
    if first == second and accumulates:
        mend.otherwise = _ATOMIC_OR_OWN
    elif race.scope is Scope.BLOCKS:
        mend.otherwise = _other_blocks(race)
        mend.gap = places.gap(first, second)
    elif loop is not None and _synchronised_elsewhere(race, places):
        mend.otherwise = _between(race) + f" They may be of one turn of the loop in line {loop.line}, or of two."
    elif first == second:
        _mend_one_line(mend, race, loop)
    else:
        _mend_two_lines(mend, race, loop, places)
    return mend


def _mend_one_line(mend: _Mend, race: Race, loop: Loop | None) -> None:
    """Threads that use each other's elements in one line: from turn to turn of a loop, or in one."""
    if loop is not None and not _has_barrier(loop, race):
        mend.turn = loop
    else:
        line, barrier = race.lines[0], _BARRIERS[race.scope]
        mend.otherwise = f"In line {line}, read into a variable, then put {barrier}, then write."


def _mend_two_lines(mend: _Mend, race: Race, loop: Loop | None, places: BarrierPlaces) -> None:
    first, second = race.lines
    mend.otherwise = _between(race)
    between = {line for line in race.since if first <= line < second}  # from there on, the second access comes first
    if between != race.since:
        mend.gap = places.gap(first, second)
    if loop is not None and (between or (mend.gap is not None and not _has_barrier(loop, race))):
        mend.turn = loop
    elif between:
        mend.otherwise = _next_call(race, places) or mend.otherwise


def _has_barrier(loop: Loop, race: Race) -> bool:
    return loop.has_barrier or any(loop.first <= line <= loop.last for line in race.since)


def _synchronised_elsewhere(race: Race, places: BarrierPlaces) -> bool:
    """Whether the barrier is in another function: whether that is called between the two lines is not known."""
    return any(line and places.function(line) != places.function(race.lines[0]) for line in race.since)


def _between(race: Race) -> str:
    first, second = race.lines
    what = f"the two accesses of line {first}" if first == second else f"the accesses of line {first} and line {second}"
    return f"Put {_BARRIERS[race.scope]} between {what}, where every thread reaches it."


def _other_blocks(race: Race) -> str:
    first, second = race.lines
    where = f"line {first}" if first == second else f"line {first} and line {second}"
    return (
        f"Blocks of one launch have no order: let {where} use different arrays, use an atomic operation, "
        "or split the work into two launches."
    )


def _next_call(race: Race, places: BarrierPlaces) -> str | None:
    """A function that ends with the second access and begins with the first, called again."""
    first, second = race.lines
    function = places.function(second)
    if function is None or function.kernel or function != places.function(first):
        return None
    return (
        f"Put {_BARRIERS[race.scope]} at the end of {function.name}, after line {second}: "
        "its next call begins before all threads have left this one."
    )


def _leave_to_turns(mends: Iterable[_Mend]) -> None:
    """A barrier at the end of a loop's body also comes between the last turn and what is behind the loop."""
    turns = [(mend.kernel, mend.turn) for mend in mends if mend.turn is not None]
    for mend in mends:
        first, second = mend.lines
        if mend.gap is None or mend.turn is not None or mend.scope is Scope.BLOCKS:
            continue
        ends = (
            turn
            for kernel, turn in turns
            if kernel == mend.kernel and turn.first <= first <= turn.after and turn.last < second
        )
        mend.turn = next(ends, None)
        mend.gap = mend.gap if mend.turn is None else None


def _join_gaps(mends: Iterable[_Mend]) -> None:
    """The fewest barriers that mend all pairs: of those which one place can serve, each gets what they have in common."""
    lists: dict[tuple[str | None, bool, int], list[_Mend]] = defaultdict(list)
    for mend in mends:
        if mend.gap is not None:
            lists[mend.kernel, mend.scope is Scope.BLOCKS, mend.gap.block].append(mend)
    for members in lists.values():
        rest = sorted(members, key=lambda mend: mend.gap.before if mend.gap else 0)
        while rest:
            before = rest[0].gap.before if rest[0].gap else 0
            served = [mend for mend in rest if mend.gap is not None and mend.gap.after < before]
            common = Gap(0, max(mend.gap.after for mend in served if mend.gap), before)
            widest = _widest(served)
            rest = [mend for mend in rest if mend not in served]
            for mend in served:
                mend.gap, mend.scope = common, widest


def _join_turns(mends: Iterable[_Mend]) -> None:
    """One barrier at the end of a loop's body is behind the last of all accesses that race from turn to turn."""
    loops: dict[tuple[str | None, int], list[_Mend]] = defaultdict(list)
    for mend in mends:
        if mend.turn is not None:
            loops[mend.kernel, mend.turn.line].append(mend)
    for members in loops.values():
        after = max(mend.turn.after for mend in members if mend.turn)
        widest = _widest(members)
        for mend in members:
            assert mend.turn is not None
            mend.turn, mend.scope = replace(mend.turn, after=after), widest


def _widest(mends: Iterable[_Mend]) -> Scope:
    return max((mend.scope for mend in mends), key=_WIDTH.index)


def _hint(mend: _Mend) -> str:
    if mend.gap is not None and mend.scope is Scope.BLOCKS:
        return (
            f"Blocks of one launch have no order: make it two launches, split after line {mend.gap.after} and before line "
            f"{mend.gap.before}, write to another array, or use an atomic operation."
        )
    gap, turn, barrier = mend.gap, mend.turn, _BARRIERS.get(mend.scope, "")
    between = f"after line {gap.after} and before line {gap.before}" if gap is not None else ""
    if turn is None:
        return f"Put {barrier} {between}." if between else mend.otherwise
    end = f"at the end of the body of the loop in line {turn.line}, after line {turn.after}"
    where = f"{between}, and another one {end}" if between else end
    return f"Put {barrier} {where}: the next turn begins before all threads have ended this one."
