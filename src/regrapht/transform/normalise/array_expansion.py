"""Array expansion: scratch of which each turn of a loop gets a part of its own. Turns that share nothing else need no order then.

Turns get it from the start where otherwise one thread runs the loop, or short kernels are launched in each turn. A nest that runs in one
thread loses nothing by it. Around a loop of the launcher it costs the threads that nests inside have, so that the loop's turns must be many
at the sizes that the task is timed at, or what a thread then does in a turn must take less time than the launches that all turns make
otherwise. The scratch of all turns must be small at these sizes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from regrapht.transform.ir.buffers import only_fills, touched_outside
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import Binary, Call, Cast, Element, Expression, Number, Variable, rewrite
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.ir.statement_walk import arrays_in, mentions_array, rewritten, with_statement
from regrapht.transform.ir.statements import Allocate, Declare, For, Function, Parts, Statement, every
from regrapht.transform.normalise.forms import Search, in_forms
from regrapht.transform.normalise.scalar_sinking import SCALAR_SINKING
from regrapht.transform.plan.analysis import Analysis, reanalysed
from regrapht.transform.plan.costs import takes_less_time
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.timed_values import bound_of, known_values, number_of
from regrapht.transform.polyhedral.loop_tree import Key, loop_key
from regrapht.transform.polyhedral.scop import Scop
from regrapht.transform.polyhedral.sections import written_first
from regrapht.transform.polyhedral.turns import FEW

MANY = FEW * FEW
"""Turns that are worth more than the threads of nests inside of them, one of which is a single thread."""
MOST_BYTES = 2**30
"""Scratch that all turns have together."""


def _better(analysis: Analysis) -> Analysis | None:
    """The analysis with scratch of their own for the turns of loops around a nest that one thread runs, or for which the launcher starts
    kernels in each turn, where they then have threads; None where there is no such loop."""
    if not analysis.scop.buffers:
        return None
    tried: set[tuple[str, ...]] = set()
    for nest in sorted(analysis.nests, key=lambda one: one.kind is not Kind.SERIAL):
        if nest.kind is not Kind.SERIAL and nest.host_loops in tried:
            continue
        tried.add(nest.host_loops)
        present = analysis
        for key in _around(nest, analysis.function):
            present = _step(present, key, nest) or present
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


ARRAY_EXPANSION = Search(_better)


def _step(present: Analysis, key: Key, nest: Nest) -> Analysis | None:
    """The analysis with threads for the turns of one loop, each of which has its own scratch; None where it has none or costs too much."""
    loops = [one for one in every(present.function.body) if isinstance(one, For) and loop_key(one) == key]
    if len(loops) != 1 or loops[0].left_by_flag:
        return None
    apart = with_buffers_expanded(present.function, present.scop, loops[0], keep_fills=False)
    again = None if apart is None or apart.loop is loops[0] else reanalysed(present, apart.function)
    again = None if again is None else in_forms(again, [SCALAR_SINKING])
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


def _over(analysis: Analysis, nest: Nest) -> list[Nest]:
    """The nest that has taken up `nest`, if turns around it are apart by now."""
    keys = list(_around(nest, analysis.function))
    found = [one for one in analysis.nests if any(_has_threads_for(key, one) for key in keys)]
    return found if len(found) == 1 else []


def _turns(nest: Nest, analysis: Analysis) -> int:
    """How many threads a nest has at the sizes that the task is timed at, the fewest of them; 0 where that is not known."""
    counts = [
        [
            number_of(bound_of((variable, nest.loop(variable).line), analysis.function), known)
            for variable in nest.parallel
        ]
        for known in known_values(analysis.task, analysis.scop)
    ]
    return min((0 if None in one else prod(n for n in one if n is not None) for one in counts), default=0)


def _is_small(analysis: Analysis) -> bool:
    """Whether the buffers that turns have parts of are small at all sizes that the task is timed at."""
    parts = analysis.function.parts
    buffers = [one for one in every(analysis.function.body) if isinstance(one, Allocate) and one.name in parts]
    for known in known_values(analysis.task, analysis.scop):
        lengths = [number_of(one.length, known) for one in buffers]
        bytes_each = [n * size_bytes(one.type) for n, one in zip(lengths, buffers, strict=True) if n is not None]
        if None in lengths or sum(bytes_each) > MOST_BYTES:
            return False
    return True


# ---- the parts of the buffers


@dataclass(frozen=True, slots=True)
class Expanded:
    """A function in which each turn of `loop` has its own scratch, and how many turns there are."""

    function: Function
    loop: For
    turns: Expression


def with_buffers_expanded(function: Function, scop: Scop, loop: For, *, keep_fills: bool = True) -> Expanded | None:
    """The function with a part of each scratch buffer of `loop` for each of its turns; as it is where the loop has no such buffer.

    None where the loop does not count from 0 to a bound. What fills such a buffer where it is declared is of no use any more: without
    `keep_fills` it is left out, where it does nothing else.
    """
    match loop:
        case For(start=Number(value=0), condition=Binary("<", Variable(name=counted), turns), step=1) if (
            counted == loop.variable
        ):
            pass
        case _:
            return None
    private = private_buffers(function, scop, loop)
    if not private:
        return Expanded(function, loop, turns)
    if not keep_fills:
        function = replace(function, body=_without_fills(function.body, private))
    named, lengths = _named_lengths(function, scop, private)
    buffers = {one.name: lengths[one.length] for one in private}

    def own(part: Expression) -> Expression | None:
        match part:
            case Element(array=array, subscripts=(subscript,)) if array in buffers:
                start = Binary("*", Cast("long long", Variable(loop.variable)), buffers[array])  # it may be a long one
                return Element(array, (Binary("+", start, rewrite(subscript, own)),))
        return None

    def longer(statements: list[Statement], chosen: Sequence[Statement], written: set[str]) -> list[Statement]:
        for one in chosen:
            if isinstance(one, Allocate) and one.name in buffers:
                # What is written outside of the turns is the first part: it must be there even if there is no turn.
                count = Call("max", (turns, Number("1", 1))) if one.name in written else turns
                length = Binary("*", Cast("long long", count), buffers[one.name])
                statements = with_statement(statements, one, [replace(one, length=length)])
        return statements

    inside = rewritten(loop.body, own)
    changed = replace(loop, body=longer(inside, list(every(inside)), set()))
    within = list(every(loop.body))
    outside = [one for one in every(function.body) if not any(one is other for other in within)]
    elsewhere = with_statement(function.body, loop, [])
    written = {name for name in buffers if mentions_array(elsewhere, name)}
    body = with_statement(longer(function.body, outside, written), loop, [changed])
    first = next(at for at, one in enumerate(function.body) if any(part in (*private, loop) for part in every([one])))
    parts = {name: _parts_of(function.parts.get(name), length, loop) for name, length in buffers.items()}
    longest = replace(
        function,
        body=[*body[:first], *named, *body[first:]],
        identifiers=function.identifiers | {declared.name for declared in named},
        parts={**function.parts, **parts},
    )
    return Expanded(longest, changed, turns)


def _parts_of(before: Parts | None, length: Expression, loop: For) -> Parts:
    """The parts of a buffer of this length that gets one more for each turn of a loop."""
    return Parts(length if before is None else before.length, loop_key(loop), 1 if before is None else before.loops + 1)


def private_buffers(function: Function, scop: Scop, loop: For) -> list[Allocate]:
    """The buffers that turns of a loop use and hand nothing over in."""
    body, inside = function.body, list(every(loop.body))
    keys = {loop_key(one) for one in inside if isinstance(one, For)}

    def is_private(buffer: Allocate) -> bool:
        """It comes into being in each turn, or each turn writes what it reads and nothing outside knows it."""
        if any(one is buffer for one in inside):
            return True
        if touched_outside(buffer, loop, body):
            return False
        parts = function.parts.get(buffer.name)
        within = parts is not None and parts.outermost in keys  # their turns write what they read
        return within or written_first(buffer.name, buffer.length, loop, scop.symbols)

    used = arrays_in(loop.body)
    found = [one for one in every(body) if isinstance(one, Allocate) and one.name in used]
    return [buffer for buffer in found if is_private(buffer)]


def _without_fills(body: list[Statement], buffers: Sequence[Allocate]) -> list[Statement]:
    before = [None, *body]
    return [
        one
        for one, last in zip(body, before, strict=False)
        if not (isinstance(last, Allocate) and any(last is buffer for buffer in buffers) and only_fills(one, last))
    ]


def _named_lengths(
    function: Function, scop: Scop, buffers: Sequence[Allocate]
) -> tuple[list[Declare], dict[Expression, Expression]]:
    """Scalars for lengths that are no single name: subscripts in rows of `n + 1` are taken apart only where that has a name."""
    declared: list[Declare] = []
    names: dict[Expression, Expression] = {}
    for buffer in buffers:
        if buffer.length in names:
            continue
        if isinstance(buffer.length, Number | Variable):
            names[buffer.length] = buffer.length
            continue
        known = {known.name for known in names.values() if isinstance(known, Variable)}
        name = fresh_name(f"{buffer.name}_length", function.identifiers | known)
        type_name = type_of(buffer.length, scop.symbols.types, line=buffer.line)
        declared.append(Declare(type_name, name, buffer.length, buffer.line))
        names[buffer.length] = Variable(name)
    return declared, names
