"""Which values integer expressions may have: intervals, and what conditions say of them.

An interval holds in C++, with its conversions: a value that a type does not hold may become any of that type. Signed arithmetic that
leaves its type has no meaning in the source; it counts as any value, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    walk,
)
from regrapht.transform.ir.scalar_types import INTEGER_BYTES, is_integer, is_unsigned, promoted
from regrapht.transform.polyhedral.affine import NEGATED

_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_TRUTHS = {*_SWAPPED, "&&", "||"}
_MOST_SHIFT = 63


class Interval(NamedTuple):
    """All integers from `low` to `high`, both included; none where `low` is the greater one."""

    low: int
    high: int

    def within(self, other: "Interval") -> bool:
        return other.low <= self.low and self.high <= other.high

    def joined(self, other: "Interval") -> "Interval":
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def common(self, other: "Interval") -> "Interval":
        return Interval(max(self.low, other.low), min(self.high, other.high))


class Distance(NamedTuple):
    """How far a scalar is above another value: by `low` at least, by `span + high` at most."""

    base: Expression
    low: int = 0
    span: Expression | None = None
    """None: nothing."""
    high: int | None = 0
    """None: any distance."""

    def raised(self, by: int) -> "Distance":
        return self._replace(low=self.low + by, high=None if self.high is None else self.high + by)

    def joined(self, other: "Distance | None") -> "Distance | None":
        if other is None or (self.base, self.span) != (other.base, other.span):
            return None
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return self._replace(low=min(self.low, other.low), high=high)

    def depends_on(self, names: set[str]) -> bool:
        return mentions_any(self.base, names) or (self.span is not None and mentions_any(self.span, names))


TRUTH = Interval(0, 1)
Fact = tuple[Expression, bool]
"""A comparison, and whether it holds or not."""


def values_of(type_name: str) -> Interval:
    """All values of an integer type; plain `char` has those of both kinds."""
    if type_name == "bool":
        return TRUTH
    bits = 8 * INTEGER_BYTES[type_name]
    low = 0 if is_unsigned(type_name) else -(2 ** (bits - 1))
    return Interval(low, 2**bits - 1 if is_unsigned(type_name) or type_name == "char" else 2 ** (bits - 1) - 1)


def converted(value: Interval, to: str) -> Interval:
    """What values become in an integer type: themselves if it holds all of them, else any."""
    surely = Interval(0, 127) if to == "char" else values_of(to)
    return value if value.within(surely) else values_of(to)


@dataclass(frozen=True, slots=True)
class State:
    """What is known of scalars and elements of arrays at one place of a function. What it does not name may be anything of its type."""

    types: Mapping[str, str]
    """Of variables with one type, elements of arrays, constants and helpers."""
    results: Mapping[str, Interval] = field(default_factory=dict)
    """What helpers return."""
    known: Mapping[Expression, Interval] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    """Comparisons that were decided on the way and still hold."""
    distances: Mapping[str, Distance] = field(default_factory=dict)
    """By the name of a scalar."""

    def type(self, expression: Expression) -> str | None:
        """The type of an integer expression; None for others."""
        try:
            found = type_of(expression, self.types)
        except (CannotTransform, ValueError):  # a name without a type
            return None
        return found if is_integer(found) else None

    def of(self, expression: Expression) -> Interval | None:
        """The values that an integer expression may have here; None for other expressions."""
        own = self.type(expression)
        if own is None:
            return None
        found = self._of(expression, own)
        return values_of(own) if found is None else converted(found, own)

    def _of(self, expression: Expression, own: str) -> Interval | None:
        match expression:
            case Number(value=int(value)):
                return Interval(value, value)
            case Variable() | Element():
                return self.known.get(expression)
            case Cast(operand=operand):
                return self.of(operand)
            case Unary("!", _):
                return TRUTH
            case Unary("-", operand):
                inner = self._as(operand, own)
                return None if inner is None else Interval(-inner.high, -inner.low)
            case Unary("+", operand):
                return self._as(operand, own)
            case Binary(operator, _, _) if operator in _TRUTHS:
                return TRUTH
            case Binary("<<" | ">>" as operator, left, right):
                return _shifted(operator, self._as(left, own), self.of(right))
            case Binary(operator, left, right):
                a, b = self._as(left, own), self._as(right, own)
                return None if a is None or b is None else combined(operator, a, b)
            case Conditional(condition, then, otherwise):
                sides = [
                    reached._as(side, own)
                    for side, wanted in ((then, True), (otherwise, False))
                    if (reached := self.given(condition, wanted=wanted)) is not None
                ]
                known = [side for side in sides if side is not None]
                return known[0].joined(known[-1]) if known and len(known) == len(sides) else None
            case Call(function, arguments):
                return self._of_call(function, arguments, own)
        return None

    def _of_call(self, function: str, arguments: tuple[Expression, ...], own: str) -> Interval | None:
        if function in self.results:
            return self.results[function]
        if function in self.types or function not in ("min", "max", "abs"):
            return None
        sides = [self._as(argument, own) for argument in arguments]
        known = [side for side in sides if side is not None]
        if not known or len(known) < len(sides):
            return None
        if function == "abs":
            (one,) = known
            return Interval(max(0, one.low, -one.high), max(-one.low, one.high))
        choose = min if function == "min" else max
        return Interval(choose(one.low for one in known), choose(one.high for one in known))

    def _as(self, expression: Expression, to: str) -> Interval | None:
        value = self.of(expression)
        return None if value is None else converted(value, to)

    def given(self, condition: Expression, *, wanted: bool) -> "State | None":
        """What is known where the condition is `wanted`; None where that cannot be."""
        match condition:
            case Unary("!", operand):
                return self.given(operand, wanted=not wanted)
            case Binary("&&" | "||" as operator, left, right):
                both = (operator == "&&") == wanted
                first = self.given(left, wanted=wanted)
                if both:
                    return None if first is None else first.given(right, wanted=wanted)
                rest = self.given(left, wanted=not wanted)
                return joined(first, None if rest is None else rest.given(right, wanted=wanted))
            case Binary(operator, left, right) if operator in NEGATED:
                return self._compared(condition, operator if wanted else NEGATED[operator], left, right, wanted)
        truth = self.of(condition)
        if truth is None:
            return self
        if not wanted:
            return self._narrowed(condition, Interval(0, 0))
        return None if truth == Interval(0, 0) else self._narrowed(condition, _without(truth, 0))

    def _compared(
        self, whole: Expression, operator: str, left: Expression, right: Expression, wanted: bool
    ) -> "State | None":
        types = self.type(left), self.type(right)
        a, b = self.of(left), self.of(right)
        if a is None or b is None or types[0] is None or types[1] is None:
            return self
        all_values = values_of(promoted(types[0], types[1]))
        if not a.within(all_values) or not b.within(all_values):
            return self  # one of them may become another number before they are compared
        found: State | None = replace(self, facts=(*(one for one in self.facts if one[0] != whole), (whole, wanted)))
        for side, own, other, told in ((left, a, b, operator), (right, b, a, _SWAPPED[operator])):
            found = None if found is None else found._narrowed(side, _bounded(own, told, other))
        return found

    def _narrowed(self, expression: Expression, to: Interval) -> "State | None":
        """What is known where an expression has a value in an interval; None where it has none."""
        own = self.of(expression)
        assert own is not None
        left = own.common(to)
        if left.low > left.high:
            return None
        while isinstance(expression, Cast):
            inner = self.of(expression.operand)
            if (
                inner is None
                or converted(inner, expression.type) != inner
                or not inner.within(values_of(expression.type))
            ):
                return self
            expression = expression.operand
        if not isinstance(expression, Variable | Element):
            return self
        return replace(self, known={**self.known, expression: left})

    def without(self, names: set[str]) -> "State":
        """What is known when variables and arrays of these names have changed."""
        if not names:
            return self
        known = {place: value for place, value in self.known.items() if not mentions_any(place, names)}
        facts = tuple(one for one in self.facts if not mentions_any(one[0], names))
        distances = {
            name: one for name, one in self.distances.items() if name not in names and not one.depends_on(names)
        }
        return replace(self, known=known, facts=facts, distances=distances)

    def assigned(self, target: Variable | Element, value: Expression) -> "State":
        """What is known after `target = value`."""
        own, found = self.types.get(_name(target)), self.of(value)
        after = self.without({_name(target)})
        if own is None or not is_integer(own) or found is None or _mentions_itself(target):
            return after
        after = replace(after, known={**after.known, target: converted(found, own)})
        return (
            after.at_distance(target.name, self._distance(target, value, found))
            if isinstance(target, Variable)
            else after
        )

    def at_distance(self, name: str, distance: Distance | None) -> "State":
        """The same where a scalar is as far from another value."""
        if distance is None or distance.depends_on({name}):
            return self
        return replace(self, distances={**self.distances, name: distance})

    def _distance(self, target: Variable, value: Expression, found: Interval) -> Distance | None:
        """How far a scalar is from what it is set to, or from what it was set to before.

        What unsigned types would cut says nothing, but for counters of 64 bits that begin with a number.
        """
        match value:
            case Binary("+", Variable() as before, Number(value=int(more))) if before == target:
                distance = self.distances.get(target.name)
                return None if distance is None else distance.raised(more)
            case Variable(name=name) if name in self.distances and self.type(value) == self.type(target):
                return self.distances[name]
        own, of = self.types[target.name], self.type(value) or "bool"
        counts = own in ("int", "long long") and of in ("int", "long long") and found.within(values_of(own))
        from_number = isinstance(value, Number) and own in ("int", "long long", "unsigned long long")
        return Distance(value) if counts or (from_number and found.within(values_of(own))) else None


def joined(first: State | None, second: State | None) -> State | None:
    """What is known where one of two ways was taken; None is a way that nothing takes."""
    if first is None or second is None:
        return second if first is None else first
    known = {place: value.joined(second.known[place]) for place, value in first.known.items() if place in second.known}
    return replace(first, known=known, **_common(first, second))


def widened(old: State, new: State) -> State:
    """As `joined`, with bounds that moved taken away, so that turns of a loop soon say nothing more."""
    known = {}
    for place, value in old.known.items():
        own = old.types.get(_name(place))
        if place not in new.known or own is None:
            continue
        grown, every = value.joined(new.known[place]), values_of(own)
        low = value.low if grown.low == value.low else every.low
        known[place] = Interval(low, value.high if grown.high == value.high else every.high)
    common = _common(old, new)
    common["distances"] = {name: one for name, one in common["distances"].items() if one == old.distances[name]}
    return replace(old, known=known, **common)


def _common(first: State, second: State) -> dict[str, Any]:
    """The facts and distances of two ways."""
    both = {name: one.joined(second.distances.get(name)) for name, one in first.distances.items()}
    distances = {name: one for name, one in both.items() if one is not None}
    return {"facts": tuple(one for one in first.facts if one in second.facts), "distances": distances}


def _name(place: Expression) -> str:
    return place.name if isinstance(place, Variable) else place.array if isinstance(place, Element) else ""


def mentions_any(expression: Expression, names: set[str]) -> bool:
    """Whether an expression names one of these variables or arrays."""
    return any(_name(part) in names for part in walk(expression) if isinstance(part, Variable | Element))


def _mentions_itself(target: Variable | Element) -> bool:
    """Whether the place of an element depends on what its array holds: once it is set, the same words may mean another element."""
    return isinstance(target, Element) and any(mentions_any(one, {target.array}) for one in target.subscripts)


def _without(value: Interval, number: int) -> Interval:
    return Interval(value.low + (value.low == number), value.high - (value.high == number))


def _bounded(own: Interval, operator: str, other: Interval) -> Interval:
    """The values of `own` for which `own operator other` may be true."""
    match operator:
        case "<":
            return Interval(own.low, min(own.high, other.high - 1))
        case "<=":
            return Interval(own.low, min(own.high, other.high))
        case ">":
            return Interval(max(own.low, other.low + 1), own.high)
        case ">=":
            return Interval(max(own.low, other.low), own.high)
        case "==":
            return own.common(other)
    return _without(own, other.low) if other.low == other.high else own


def combined(operator: str, a: Interval, b: Interval) -> Interval | None:
    """The values of an operation on numbers of any size."""
    match operator:
        case "+":
            return Interval(a.low + b.low, a.high + b.high)
        case "-":
            return Interval(a.low - b.high, a.high - b.low)
        case "*":
            ends = [x * y for x in a for y in b]
            return Interval(min(ends), max(ends))
        case "/" if b.low >= 1:
            ends = [_quotient(x, y) for x in a for y in b]
            return Interval(min(ends), max(ends))
        case "%" if b.low >= 1:
            return Interval(max(a.low, 1 - b.high) if a.low < 0 else 0, max(0, min(a.high, b.high - 1)))
        case "&" if a.low >= 0 or b.low >= 0:
            return Interval(0, min(one.high for one in (a, b) if one.low >= 0))
        case "|" | "^" if a.low >= 0 and b.low >= 0:
            return Interval(0, 2 ** max(a.high, b.high).bit_length() - 1)
    return None


def _quotient(value: int, divisor: int) -> int:
    return value // divisor if value >= 0 else -(-value // divisor)


def _shifted(operator: str, value: Interval | None, places: Interval | None) -> Interval | None:
    if value is None or places is None or value.low < 0 or places.low < 0 or places.high > _MOST_SHIFT:
        return None
    if operator == "<<":
        return Interval(value.low << places.low, value.high << places.high)
    return Interval(value.low >> places.high, value.high >> places.low)
