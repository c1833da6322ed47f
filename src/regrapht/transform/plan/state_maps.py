"""What a turn makes of values that it hands on, as maps that can be combined: of numbers, or a table for a value of a few constants."""

from collections.abc import Collection, Sequence

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    Binary,
    Cast,
    Conditional,
    Expression,
    Unary,
    Variable,
    integer,
)
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned
from regrapht.transform.ir.statements import Assign, Declare, For, Update, every
from regrapht.transform.plan.bounded_maps import bounded, extreme
from regrapht.transform.plan.contributions import Contribution, Family, NoScan, RunningValue, StateMap, value_of
from regrapht.transform.plan.number_maps import Found, Place, affine
from regrapht.transform.polyhedral.loop_tree import Leaf
from regrapht.transform.polyhedral.scop import Scop

MOST_STATES = 16
"""Of a table: each is four bits of a word."""


def map_of(
    group: Sequence[RunningValue], known: Sequence[Place], unknown: Sequence[Place], leaf: Leaf, scop: Scop
) -> Found:
    """How a turn maps the values of a group, and the statements that find its map from values that are `known`.

    Raises:
        NoScan: No family holds it.
    """
    reasons: list[str] = []
    for attempt in (affine, bounded, extreme, _table):
        try:
            return attempt(group, known, unknown, leaf, scop)
        except NoScan as reason:
            reasons.append(str(reason))
    raise NoScan(reasons[0])


def _table(
    group: Sequence[RunningValue], known: Sequence[Place], unknown: Sequence[Place], leaf: Leaf, scop: Scop
) -> Found:
    if len(group) != 1 or not isinstance(group[0].place, Variable) or not is_integer(group[0].type):
        raise NoScan("what it hands on is no single local of few values")
    place = group[0].place
    possible = _possible(place, scop)
    if not possible or min(possible) < 0 or max(possible) >= MOST_STATES:
        raise NoScan("what it hands on is not seen to have few values")
    rest = [one for one in unknown if one != place]
    statements = Contribution([place, *known], rest, leaf).of(leaf.statements)
    table = StateMap(family=Family.TABLE, values=tuple(group), number="unsigned long long", size=max(possible) + 1)
    return table, tuple(statements)


def _possible(place: Variable, scop: Scop) -> set[int]:
    """All values that a local ever has; none where that is not seen."""
    function = scop.function
    if place.name not in scop.locals or place.name in {one.name for one in function.parameters}:
        return set()
    if scop.element_type(place.name) == "bool":
        return {0, 1}
    found: set[int] = set()
    for statement in every(function.body):
        match statement:
            case For(variable=name) if name == place.name:
                return set()
            case Declare(name=name, value=value) if name == place.name:
                values = None if value is None else _values(value, place, scop)
            case Assign(target=target) | Update(target=target) if target == place:
                values = _values(value_of(statement), place, scop)
            case _:
                continue
        if values is None:
            return set()
        found |= set(values)
    return found


def _values(value: Expression, place: Variable, scop: Scop) -> Collection[int] | None:
    """The values that an expression may have, apart from what the place itself has; None where that is not seen."""
    known = integer(value)
    if known is not None:
        return {known}
    match value:
        case Variable() if value == place:
            return set()
        case Conditional(_, then, otherwise):
            parts = [_values(one, place, scop) for one in (then, otherwise)]
            return None if None in parts else {one for part in parts for one in part or ()}
        case Unary("!", _) | Binary("<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||", _, _):
            return {0, 1}
        case Binary("&", left, right):
            masks = [mask for mask in (integer(left), integer(right)) if mask is not None and 0 <= mask < MOST_STATES]
            return range(min(masks) + 1) if masks else None
        case Binary("%", left, right):
            size = integer(right)
            try:
                wraps = is_unsigned(type_of(left, scop.symbols.types))
            except CannotTransform:
                return None
            return range(size) if wraps and size is not None and 0 < size <= MOST_STATES else None
        case Cast(to, operand) if is_integer(to):
            return _values(operand, place, scop)
    return None
