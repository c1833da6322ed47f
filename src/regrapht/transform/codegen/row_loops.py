"""Loops of a leaf whose bounds data choose, and which only combine values: the entries of a sparse row, the neighbours of a node.

isl knows nothing of their turns, so what makes these independent is read off the statements.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from regrapht.errors import CannotTransform
from regrapht.transform.codegen import arithmetic
from regrapht.transform.ir.expressions import Binary, Element, Expression, Variable, integer, place_name, walk
from regrapht.transform.ir.idioms import all_of
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables, leaves_own_loop
from regrapht.transform.ir.statements import (
    Assign,
    Break,
    Declare,
    For,
    If,
    Return,
    Statement,
    Update,
    While,
    blocks,
    every,
)

LEAST_ITERATIONS = 32
"""Fewer iterations do not keep a warp busy."""


@dataclass(frozen=True, slots=True, eq=False)
class RowLoop:
    """A loop that threads may share, each with a part of what it combines."""

    loop: For
    targets: Mapping[Expression, str]
    """What it combines values into, with the operator."""


def row_loops(statements: Sequence[Statement], types: Mapping[str, str]) -> tuple[list[RowLoop], list[str]]:
    """The outermost loops among and inside `statements` that threads may share, and why others may not.

    What is around them is the same for all threads that come there together, so that these all get to the loops.
    """
    if any(isinstance(one, Return) for one in every(list(statements))):
        return [], []
    found: list[RowLoop] = []
    reasons: list[str] = []
    for statement in statements:
        targets = _targets(statement, types) if isinstance(statement, For) else ""
        if isinstance(statement, For) and not isinstance(targets, str):
            found.append(RowLoop(statement, targets))
            continue
        if isinstance(statement, For):
            reasons.append(f"the loop over '{statement.variable}' at line {statement.line} {targets}")
        for block in blocks(statement):
            inner, why = row_loops(block, types)
            found += inner
            reasons += why
    return found, reasons


def bounds_of(loop: For) -> list[Expression] | None:
    """What the counter of a loop stays below, or at; None where its condition says something else."""
    found: list[Expression] = []
    for part in all_of(loop.condition):
        match part:
            case Binary("<" | "<=", Variable(name=name), bound) if name == loop.variable:
                found.append(bound)
            case Binary(">" | ">=", bound, Variable(name=name)) if name == loop.variable:
                found.append(bound)
            case _:
                return None
    return found


def starts_at_constant(loop: For) -> bool:
    """Whether the first value is a constant that is not negative: no type's range ends soon after it."""
    first = integer(loop.start)
    return first is not None and first >= 0


def _targets(loop: For, types: Mapping[str, str]) -> dict[Expression, str] | str:
    """What a loop combines values into, with the operators; why threads cannot share it, as the end of a sentence about it."""
    reason = _why_uncounted(loop, types)
    if reason is not None:
        return reason
    own = {one.name for one in every(loop.body) if isinstance(one, Declare)}
    found = _updated(loop, own)
    if isinstance(found, str):
        return found
    if not found:
        return "combines nothing"
    for place, operator in found.items():
        try:
            arithmetic.identity(operator, types[place_name(place)])
        except CannotTransform as error:
            return f"cannot be shared: {error.reason}"
    return found


def _why_uncounted(loop: For, types: Mapping[str, str]) -> str | None:
    """Why the values of a loop's counter are not known when it begins."""
    if loop.left_by_flag or leaves_own_loop(loop.body, Break):
        return "may be left by a 'break'"
    if loop.step is None or loop.step < 1:
        return "does not count up by a constant"
    if not is_integer(loop.type) or size_bytes(loop.type) < 4:
        return f"counts in '{loop.type}'"
    changing = {loop.variable, *_changing(loop.body)}
    if loop.variable in _changing(loop.body):
        return "changes its counter"
    bounds = bounds_of(loop)
    if bounds is None:
        return f"ends by a condition that is no bound of '{loop.variable}'"
    for part in [part for bound in bounds for part in walk(bound)]:
        if isinstance(part, Variable | Element) and place_name(part) in changing:
            return f"changes '{place_name(part)}', which bounds it"
    trips = _turns(loop, bounds)
    return f"has only {trips} iterations" if trips is not None and trips < LEAST_ITERATIONS else None


def _changing(statements: list[Statement]) -> set[str]:
    """Variables and arrays that have other values from turn to turn."""
    inside = list(every(statements))
    stored = {place_name(one.target) for one in inside if isinstance(one, Assign | Update)}
    own = {one.name for one in inside if isinstance(one, Declare)}
    return stored | own | {one.variable for one in inside if isinstance(one, For)} | assigned_variables(statements)


def _turns(loop: For, bounds: Sequence[Expression]) -> int | None:
    """The number of turns where two constants say it, or `start + constant` does; None elsewhere."""
    assert loop.step is not None
    first, found = integer(loop.start), []
    for part, bound in zip(all_of(loop.condition), bounds, strict=True):
        last = integer(bound)
        length = last - first if last is not None and first is not None else None
        match bound:
            case Binary("+", left, right) if left == loop.start:
                length = integer(right)
        if length is not None:
            length += isinstance(part, Binary) and part.operator in ("<=", ">=")
            found.append(max(0, -(-length // loop.step)))
    return min(found, default=None)


def _updated(loop: For, own: set[str]) -> dict[Expression, str] | str:
    """The places outside of a loop that it updates, with the operator; a text where it does more to what is outside."""
    changing = {loop.variable, *_changing(loop.body)}
    found: dict[str, dict[Expression, str]] = {}
    for statement in every(loop.body):
        if not isinstance(statement, Assign | Update) or place_name(statement.target) in own:
            continue
        name = place_name(statement.target)
        if isinstance(statement, Assign):
            return f"sets '{name}'"
        subscripts = statement.target.subscripts if isinstance(statement.target, Element) else ()
        parts = [part for subscript in subscripts for part in walk(subscript)]
        if any(isinstance(part, Variable | Element) and place_name(part) in changing for part in parts):
            return f"updates '{name}' at different places"
        places = found.setdefault(name, {})
        if places.setdefault(statement.target, statement.operator) != statement.operator:
            return f"updates '{name}' by two operators"
        if len(places) > 1:
            return f"updates '{name}' at several places"
    for part in [part for whole in values_of(loop.body) for part in walk(whole)]:
        if isinstance(part, Variable | Element) and place_name(part) in found:
            return f"reads '{place_name(part)}', which it updates"
    return {place: operator for places in found.values() for place, operator in places.items()}


def values_of(statements: Sequence[Statement]) -> Iterator[Expression]:
    """Every expression that is read: all but the places that are written, of which the subscripts are."""
    for statement in every(list(statements)):
        match statement:
            case Assign(target=target, value=value) | Update(target=target, value=value):
                yield value
                yield from target.subscripts if isinstance(target, Element) else ()
            case If(condition=condition) | While(condition=condition):
                yield condition
            case For(start=start, condition=condition):
                yield start
                yield condition
            case Declare(value=value, values=values):
                yield from (one for one in (value, *(values or ())) if one is not None)
