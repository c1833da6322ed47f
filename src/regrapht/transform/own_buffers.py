"""Scratch of which each turn of a loop gets a part of its own: turns that share nothing else need no order then."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from regrapht.transform.ir.buffers import only_fills, touched_outside
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Element,
    Expression,
    Number,
    Variable,
    rewrite,
)
from regrapht.transform.ir.statement_walk import arrays_in, mentions_array, rewritten, with_statement
from regrapht.transform.ir.statements import (
    Allocate,
    Declare,
    For,
    Function,
    Parts,
    Statement,
    every,
)
from regrapht.transform.polyhedral.loop_tree import loop_key
from regrapht.transform.polyhedral.scop import Scop
from regrapht.transform.polyhedral.sections import written_first


@dataclass(frozen=True, slots=True)
class Apart:
    """A function in which each turn of `loop` has its own scratch, and how many turns there are."""

    function: Function
    loop: For
    turns: Expression


def with_own_buffers(function: Function, scop: Scop, loop: For, *, keep_fills: bool = True) -> Apart | None:
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
        return Apart(function, loop, turns)
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
    return Apart(longest, changed, turns)


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
        name = f"{buffer.name}_length"
        while name in function.identifiers or any(Variable(name) == known for known in names.values()):
            name += "_"
        type_name = type_of(buffer.length, scop.symbols.types, line=buffer.line)
        declared.append(Declare(type_name, name, buffer.length, buffer.line))
        names[buffer.length] = Variable(name)
    return declared, names
