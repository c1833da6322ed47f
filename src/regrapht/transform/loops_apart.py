"""Where turns of a loop get scratch of their own from the start: around what otherwise one thread runs, or short kernels.

A nest that runs in one thread loses nothing by it. Around a loop of the launcher it costs the threads that nests inside have, so that the
loop's turns must be many at the sizes that the task is timed at, or what a thread then does in a turn must take less time than the
launches that all turns make otherwise. The scratch of all turns must be small at these sizes.
"""

from collections.abc import Callable, Iterator
from math import prod
from typing import TYPE_CHECKING

from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.ir.statements import Allocate, For, Function, every
from regrapht.transform.nest import Kind, Nest
from regrapht.transform.own_buffers import with_own_buffers
from regrapht.transform.plan_costs import takes_less_time
from regrapht.transform.polyhedral.loop_tree import Key, loop_key
from regrapht.transform.polyhedral.turns import FEW
from regrapht.transform.timed_values import bound_of, known_values, number_of

if TYPE_CHECKING:
    from regrapht.transform.program import Analysis

MANY = FEW * FEW
"""Turns that are worth more than the threads of nests inside of them, one of which is a single thread."""
MOST_BYTES = 2**30
"""Scratch that all turns have together."""


def with_turns_apart(
    analysis: "Analysis", analysed: "Callable[[Analysis, Function], Analysis | None]"
) -> "Analysis | None":
    """The analysis with scratch of their own for the turns of loops around a nest that one thread runs, or for which the launcher starts
    kernels in each turn, where they then have threads.

    None where there is no such loop. `analysed` analyses another form of the function; it gives None where that cannot be done.
    """
    tried: set[tuple[str, ...]] = set()
    for nest in sorted(analysis.nests, key=lambda one: one.kind is not Kind.SERIAL):
        if nest.kind is not Kind.SERIAL and nest.host_loops in tried:
            continue
        tried.add(nest.host_loops)
        present = analysis
        for key in _around(nest, analysis.function):
            present = _step(present, key, nest, analysed) or present
        if present is not analysis:
            return present
    return None


def _around(nest: Nest, function: Function) -> Iterator[Key]:
    """The nest's own loop if one thread runs it, then those of the launcher around it, the innermost first."""
    if nest.kind is Kind.SERIAL:
        yield loop_key(nest.root)
    loops = [one for one in every(function.body) if isinstance(one, For)]
    for variable in reversed(nest.host_loops):
        keys = [loop_key(one) for one in loops if one.variable == variable]
        if len(keys) != 1:
            return
        yield keys[0]


def _step(
    present: "Analysis", key: Key, nest: Nest, analysed: "Callable[[Analysis, Function], Analysis | None]"
) -> "Analysis | None":
    """The analysis with threads for the turns of one loop, each of which has its own scratch; None where it has none or costs too much."""
    loops = [one for one in every(present.function.body) if isinstance(one, For) and loop_key(one) == key]
    if len(loops) != 1 or loops[0].left_by_flag:
        return None
    apart = with_own_buffers(present.function, present.scop, loops[0], keep_fills=False)
    again = None if apart is None or apart.loop is loops[0] else analysed(present, apart.function)
    found = [] if again is None else [one for one in again.nests if _has_threads_for(key, one)]
    if again is None or len(found) != 1 or not _is_small(again):
        return None
    swallowed = key != loop_key(nest.root)
    least = max([MANY, *(_turns(one, present) + 1 for one in _over(present, nest))])
    many = nest.kind is Kind.SERIAL and _turns(found[0], again) >= least
    return again if not swallowed or many or takes_less_time(again, present) else None


def _has_threads_for(key: Key, nest: Nest) -> bool:
    """Whether different threads make the turns of a loop, and it holds all that the nest does."""
    own = any(loop_key(loop) == key for loop in nest.chain)
    return own and nest.kind is Kind.MAP and key[0] in nest.parallel and nest.is_worth_launching


def _over(analysis: "Analysis", nest: Nest) -> list[Nest]:
    """The nest that has taken up `nest`, if turns around it are apart by now."""
    keys = list(_around(nest, analysis.function))
    found = [one for one in analysis.nests if any(_has_threads_for(key, one) for key in keys)]
    return found if len(found) == 1 else []


def _turns(nest: Nest, analysis: "Analysis") -> int:
    """How many threads a nest has at the sizes that the task is timed at, the fewest of them; 0 where that is not known."""
    counts = [
        [
            number_of(bound_of((variable, nest.loop(variable).line), analysis.function), known)
            for variable in nest.parallel
        ]
        for known in known_values(analysis.task, analysis.scop)
    ]
    return min((0 if None in one else prod(n for n in one if n is not None) for one in counts), default=0)


def _is_small(analysis: "Analysis") -> bool:
    """Whether the buffers that turns have parts of are small at all sizes that the task is timed at."""
    parts = analysis.function.parts
    buffers = [one for one in every(analysis.function.body) if isinstance(one, Allocate) and one.name in parts]
    for known in known_values(analysis.task, analysis.scop):
        lengths = [number_of(one.length, known) for one in buffers]
        bytes_each = [n * size_bytes(one.type) for n, one in zip(lengths, buffers, strict=True) if n is not None]
        if None in lengths or sum(bytes_each) > MOST_BYTES:
            return False
    return True
