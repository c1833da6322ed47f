"""What a turn makes of values that it hands on, as maps that can be combined: of numbers, or a table for a value of a few constants."""

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import product

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
    place_name,
)
from regrapht.transform.ir.scalar_types import in_range, is_integer, is_unsigned
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, every
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
    possible = {0, 1} if group[0].type == "bool" else _possible(place, leaf, scop)
    if not possible or min(possible) < 0 or max(possible) >= MOST_STATES:
        raise NoScan("what it hands on is not seen to have few values")
    rest = [one for one in unknown if one != place]
    statements = Contribution([place, *known], rest, leaf).of(leaf.statements)
    table = StateMap(family=Family.TABLE, values=tuple(group), number="unsigned long long", size=max(possible) + 1)
    return table, tuple(statements)


Values = set[int] | None
"""What an expression may be; None where that is not seen."""


def _possible(place: Variable, leaf: Leaf, scop: Scop) -> set[int]:
    """All values that a local has between turns; none where that is not seen."""
    function = scop.function
    if place.name not in scop.locals or place.name in {one.name for one in function.parameters}:
        return set()
    inside = {id(one) for one in every(leaf.statements)}
    found: set[int] = set()
    for statement in every(function.body):
        if isinstance(statement, For) and statement.variable == place.name:
            return set()
        if id(statement) in inside or not isinstance(statement, Declare | Assign | Update):
            continue
        if (statement.name if isinstance(statement, Declare) else place_name(statement.target)) == place.name:
            known = None if isinstance(statement, Update) or statement.value is None else integer(statement.value)
            if known is None:
                return set()
            found.add(known)
    walk = _Walk(place, scop)
    while found:
        more = walk.after(leaf.statements, found)
        if more is None or len(more | found) > MOST_STATES:
            return set()
        if more <= found:
            return found
        found |= more
    return set()


class _Walk:
    """Follows the values of a local through a turn."""

    def __init__(self, place: Variable, scop: Scop) -> None:
        self.place, self.scop = place, scop

    def after(self, statements: Sequence[Statement], before: set[int]) -> Values:
        """What it may be behind statements that begin with one of `before`."""
        now: Values = set(before)
        for statement in statements:
            if now is None:
                return None
            match statement:
                case Assign(target=target) | Update(target=target) if target == self.place:
                    now = _union(self.of(value_of(statement), one) for one in now)
                case If(condition=condition, then=then, otherwise=otherwise):
                    tests = {one: self.of(condition, one) for one in now}
                    yes = {one for one, test in tests.items() if test is None or test != {0}}
                    no = {one for one, test in tests.items() if test is None or 0 in test}
                    now = _union((self.after(then, yes), self.after(otherwise, no)))
        return now

    def of(self, value: Expression, now: int) -> Values:
        """What an expression may be while the local is `now`."""
        known = integer(value)
        if known is not None:
            return {known}
        match value:
            case Variable() if value == self.place:
                return {now}
            case Conditional(condition, then, otherwise):
                test = self.of(condition, now)
                ways = (
                    [then] if test is not None and 0 not in test else [otherwise] if test == {0} else [then, otherwise]
                )
                return _union(self.of(one, now) for one in ways)
            case Cast(to, operand) if is_integer(to):
                inner = self.of(operand, now)
                return inner if inner is not None and all(in_range(one, to) for one in inner) else None
            case Unary("!", operand):
                inner = self.of(operand, now)
                return {0, 1} if inner is None else {int(not one) for one in inner}
            case Binary(sign, left, right):
                return self._combined(sign, left, right, now)
        return None

    def _combined(self, sign: str, left: Expression, right: Expression, now: int) -> Values:
        first, second = self.of(left, now), self.of(right, now)
        signs_matter = sign not in ("+", "-", "*")
        if first is not None and second is not None and sign in _FOLDED:
            pairs = list(product(first, second))
            if not (signs_matter and any(one < 0 or other < 0 for one, other in pairs)) and (
                sign != "%" or 0 not in second
            ):
                return {int(_FOLDED[sign](one, other)) for one, other in pairs}
        if sign in _TESTS:
            return {0, 1}
        if sign == "&":
            masks = [max(one) for one in (first, second) if one is not None and min(one) >= 0]
            return set(range(min(masks) + 1)) if masks and min(masks) < MOST_STATES else None
        if sign == "%" and second is not None and len(second) == 1 and self._is_unsigned(left):
            (size,) = second
            return set(range(size)) if 0 < size <= MOST_STATES else None
        return None

    def _is_unsigned(self, value: Expression) -> bool:
        try:
            return is_unsigned(type_of(value, self.scop.symbols.types))
        except CannotTransform:
            return False


_TESTS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
_FOLDED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "&&": lambda one, other: bool(one and other),
    "||": lambda one, other: bool(one or other),
}


def _union(parts: Iterable[Values]) -> Values:
    found: set[int] = set()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found
