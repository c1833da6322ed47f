"""What a form of a function is, how forms are tried, and when a function has more threads in another form."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from regrapht.transform.ir.statements import Function
from regrapht.transform.plan.analysis import Analysis, reanalysed
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.polyhedral.loop_tree import Key, Node, all_loops, loop_key
from regrapht.transform.polyhedral.turns import FEW, most_turns

Place = TypeVar("Place")


@dataclass(frozen=True, slots=True)
class Form(Generic[Place]):
    """Another way to write parts of a function, each kept where the analysis is better by it."""

    candidates: Callable[[Analysis], Iterable[tuple[Function, Place]]]
    """The function with one part in that form, for each part that can be, and what `accept` has to know of the part."""
    accept: Callable[[Analysis, Analysis, Place], bool]
    """Whether the second analysis, of a candidate, is better than the first."""

    def better(self, analysis: Analysis) -> Analysis | None:
        """The analysis of the first candidate that is accepted; None where none is."""
        for function, place in self.candidates(analysis):
            again = reanalysed(analysis, function)
            if again is not None and self.accept(analysis, again, place):
                return again
        return None


@dataclass(frozen=True, slots=True)
class Search:
    """A form whose parts depend on each other, and which looks for them by analyses of its own."""

    better: Callable[[Analysis], Analysis | None]
    """As `Form.better`."""


def in_forms(analysis: Analysis, forms: Sequence[Form[Any] | Search]) -> Analysis:
    """The analysis in each of the forms, one after the other, as often as that makes it better."""
    for form in forms:
        while (better := form.better(analysis)) is not None:
            analysis = better
    return analysis


def has_more_threads(
    before: Sequence[Nest], after: Sequence[Nest], tree: Sequence[Node], loops: Collection[Key], *, first: bool
) -> bool:
    """Whether one of these loops has threads afterwards, all of them are known to analysis (`tree`), and no other loop lost its threads.

    Atomic updates may give way to threads that need none. Where threads were before, neither loops of few turns nor the terms of a sum are
    worth more of them: a condition that skips them all at once saves more. With `first`, no loops are worth more there.
    """
    if not set(loops) <= {loop_key(loop) for loop in all_loops(tree)}:
        return False
    had = {loop_key(nest.root) for nest in before if nest.kind is not Kind.SERIAL}
    gained = [nest for nest in after if nest.is_worth_launching and _gains(nest, loops, had, first=first)]
    settled = {key for nest in gained if nest.kind is Kind.MAP for key in _chain(nest)}
    kept = [
        key for nest in before for key in threaded_loops(nest) if nest.kind is not Kind.SCATTER or key not in settled
    ]
    return bool(gained) and not Counter(kept) - Counter(key for nest in after for key in threaded_loops(nest))


def leaves_fewer_alone(before: Analysis, after: Analysis) -> bool:
    """Whether fewer loops run in one thread, or are the launcher's, and no loop became the launcher's but such that one thread ran."""
    serial, launched = _without_threads(before)
    serial_after, launched_after = _without_threads(after)
    moved = launched_after <= launched | {variable for variable, _ in serial}
    return moved and (serial_after < serial or (serial_after == serial and launched_after < launched))


def _without_threads(analysis: Analysis) -> tuple[set[Key], set[str]]:
    """The outermost loops of nests that one thread runs, and the loops of the launcher."""
    serial = {loop_key(nest.root) for nest in analysis.nests if nest.kind is Kind.SERIAL}
    return serial, {variable for nest in analysis.nests for variable in nest.host_loops}


def _gains(nest: Nest, loops: Collection[Key], had: Collection[Key], *, first: bool) -> bool:
    own = [key for key in threaded_loops(nest) if key in loops]
    if loop_key(nest.root) in had:
        return not first and any(name in nest.parallel and _makes_many_turns(nest, name) for name, _ in own)
    return bool(own)


def threaded_loops(nest: Nest) -> list[Key]:
    """The loops whose turns different threads make."""
    return [key for key in _chain(nest) if key[0] in nest.threaded]


def _chain(nest: Nest) -> list[Key]:
    return [loop_key(loop) for loop in nest.chain]


def _makes_many_turns(nest: Nest, variable: str) -> bool:
    return any(most_turns(leaf, leaf.dims.index(variable)) > FEW for leaf in nest.group if variable in leaf.dims)
