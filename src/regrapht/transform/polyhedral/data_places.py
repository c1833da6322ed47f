"""Places that data choose, within what is known of their values: `row[64 * g + v]` with v from 0 to 63 is in row g, whatever v is, and
`cell[v * n + i]` with i below n is in column i.

What is not affine in a subscript becomes a variable that may have any value of its interval. Comparisons that hold there and are affine
in such variables bound them further: `if (c >= 0 && c < n) count[i * n + c] += 1`. So does how far a counter is from where it began.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from regrapht.source.polynomial import Terms, add, words
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Expression,
    Unary,
    Variable,
    integer,
    mentions,
    rewrite,
    walk,
)
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, size_bytes
from regrapht.transform.polyhedral.affine import NEGATED, Affine
from regrapht.transform.polyhedral.intervals import Distance, Interval, State, combined, converted, values_of
from regrapht.transform.polyhedral.loop_tree import Inside

_WIDE = 2**20
"""An interval of more values says nothing of rows."""
_MOST_VALUES = 8
"""Variables that isl is asked about at once."""
_IN_MEMORY = 2**47
"""What sizes and places of 64 bits stay below."""


def place_of_data(subscripts: Sequence[Expression], inside: Inside, state: State) -> Inside | None:
    """Where an access may be; None where its values are not known well enough.

    Args:
        subscripts: Those of the access.
        inside: The leaf's own loops around it; its subscripts are not looked at.
        state: What is known of values there.
    """
    values = _Values(inside.affine, state)
    values.moved = frozenset(name for name in inside.variables if _begins_by_data(name, inside.affine, state))
    for variable in inside.variables:
        values.bound(variable, state.of(Variable(variable)))
        distance = state.distances.get(variable)
        start = None if distance is None else inside.affine.affine(distance.base)
        if distance is not None and start is not None:
            values.bounds.append(f"{variable} >= {start} + {distance.low}")
    chosen = [values.replaced(one) for one in subscripts]
    if len(values.names) > _MOST_VALUES:
        return None
    values.compare()
    affine = values.affine()
    places: list[Terms] = []
    for subscript in chosen:
        polynomial = affine.polynomial(subscript)
        if polynomial is None or not values.keep_rows(polynomial):
            return None
        places.append(polynomial)
    variables = (*inside.variables, *values.names.values())
    return Inside(affine, variables, (*inside.bounds, *values.bounds), tuple(places))


def _begins_by_data(variable: str, affine: Affine, state: State) -> bool:
    """Whether a loop's variable is known by its distance from an affine value, which it begins above."""
    distance = state.distances.get(variable)
    return (
        distance is not None and affine.polynomial(distance.base) is not None and affine.affine(distance.base) is None
    )


@dataclass(slots=True)
class _Values:
    """The variables that stand for values of data in one access."""

    inside: Affine
    state: State
    names: dict[Expression, str] = field(default_factory=dict)
    bounds: list[str] = field(default_factory=list)
    bounded: set[str] = field(default_factory=set)
    moved: frozenset[str] = frozenset()
    """Variables of the leaf's own loops that begin where data say."""

    def affine(self) -> Affine:
        """Reads expressions in which the values are replaced."""
        inside = replace(self.inside, iterators=(*self.inside.iterators, *self.names.values()))
        return inside.under(*self.bounds)

    def bound(self, name: str, to: Interval | None) -> None:
        if to is None:
            return
        self.bounds += [f"{name} >= {to.low}", f"{name} <= {to.high}"]
        if to.high - to.low < _WIDE:
            self.bounded.add(name)

    def keep_rows(self, polynomial: Terms) -> bool:
        """Whether each value in a place has bounds that may keep it in a row, or is the number of a row itself, and so may be any."""
        unbounded = set(self.names.values()) - self.bounded
        for atoms, factor in polynomial.items():
            used = {word for atom in atoms for word in words(atom)}
            if not used.isdisjoint(unbounded) and len(atoms) == 1 and abs(factor) == 1:
                return False
        return True

    def replaced(self, expression: Expression) -> Expression:
        """The expression with what is not affine replaced."""
        return rewrite(expression, self._value)

    def _value(self, part: Expression) -> Expression | None:
        moved = isinstance(part, Variable) and part.name in self.moved
        if isinstance(part, Variable) and (moved or self.inside.polynomial(part) is None):
            return self._from_base(part)
        if not self._is_moved(part) and self.inside.polynomial(part) is not None:
            return part
        return None if self._is_exact(part) else self._named(part)

    def _is_moved(self, part: Expression) -> bool:
        return any(isinstance(one, Variable) and one.name in self.moved for one in walk(part))

    def _from_base(self, variable: Variable) -> Expression:
        """A scalar that is not affine as a value that is, and the distance from there."""
        distance = self.state.distances.get(variable.name)
        if distance is None or self.inside.polynomial(distance.base) is None:
            return self._named(variable)
        start, known = integer(distance.base), Cast("long long", variable)
        if variable in self.names or known in self.names:
            fresh = self.names.get(known) or self.names[variable]
        elif start is not None:
            self._named(variable)
            fresh = self.names[variable]
            self.bounds.append(f"{fresh} >= {start} + {distance.low}")
            self._bound_distance(fresh, start, distance)
        elif variable.name in self.moved or self._end(distance) is not None:
            fresh = self._fresh(known, "long long")
            self.bounds.append(f"{fresh} >= {distance.low}")
            self._bound_distance(fresh, 0, distance)
        else:
            return self._named(variable)
        return Variable(fresh) if known not in self.names else Binary("+", distance.base, Variable(fresh))

    def _bound_distance(self, name: str, start: int, distance: Distance) -> None:
        end = self._end(distance)
        if end is not None:
            self.bounds.append(f"{name} <= {start} + {end}")
            self.bounded.add(name)

    def _end(self, distance: Distance) -> str | None:
        """isl's text of how far it is at most."""
        if distance.high is None or distance.span is None:
            return None if distance.high is None else str(distance.high)
        span = self.inside.affine(distance.span)
        return None if span is None else f"{span} + {distance.high}"

    def _fresh(self, part: Expression, type_name: str) -> str:
        symbols = self.inside.symbols
        name = self.names[part] = f"value{len(symbols.types)}__"
        symbols.types[name] = type_name
        return name

    def _named(self, part: Expression) -> Expression:
        name = self.names.get(part)
        if name is None:
            name = self._fresh(part, self.state.type(part) or "long long")
            self.bound(name, self.state.of(part))
        return Variable(name)

    def _is_exact(self, part: Expression) -> bool:
        """Whether an operation gives what it gives with integers of any size, so that its operands say where it is.

        Signed arithmetic has no meaning where it does not.
        """
        match part:
            case Cast(type=to, operand=operand) if is_integer(to) and size_bytes(to) >= 4:
                value = self._magnitude(operand)
                return value is not None and converted(value, to) == value and value.within(values_of(to))
            case Binary("+" | "-" | "*" as operator, left, right):
                return self._stays(part, operator, left, right)
            case Unary("-" | "+", operand):
                own = self.state.type(part)
                return own is not None and not is_unsigned(own) and self.state.type(operand) is not None
            case Call("min" | "max", (left, right)):
                own, whole = self.state.type(part), self.state.of(part)
                if own is None or whole is None or is_unsigned(own) or whole.high - whole.low < _WIDE:
                    return False
                return self._stays(part, "", left, right)
        return False

    def _stays(self, part: Expression, operator: str, left: Expression, right: Expression) -> bool:
        """Whether neither the operands nor the result of an operation become other numbers by a conversion."""
        own, a, b = self.state.type(part), self._magnitude(left), self._magnitude(right)
        if own is None or a is None or b is None:
            return False
        every = values_of(own)
        if not a.within(every) or not b.within(every):
            return False
        result = combined(operator, a, b) if operator and is_unsigned(own) else every
        return result is not None and result.within(every)

    def _magnitude(self, part: Expression) -> Interval | None:
        """The values of an operand. What is affine, or counted by turns, and of 64 bits counts what is in memory."""
        value = self.state.of(part)
        if value is None:
            return value
        distance = self.state.distances.get(part.name) if isinstance(part, Variable) else None
        if (
            distance is not None
            and (integer(distance.base) or 0) + distance.low >= 0
            and self._end(distance) is not None
        ):
            start = integer(distance.base)
            return value if start is None else value.common(Interval(0, _IN_MEMORY))
        known = self.inside.polynomial(part)
        if known is None:
            return value
        low = max(0, value.low) if self.inside.is_nonnegative(known) else value.low
        return Interval(low, min(value.high, _IN_MEMORY) if low >= 0 else value.high)

    def _text(self, fact: Binary, *, wanted: bool) -> str | None:
        """isl's text of a comparison; of signed values, only their difference needs to be affine."""
        left, right = self.replaced(fact.left), self.replaced(fact.right)
        operator, affine = fact.operator if wanted else NEGATED[fact.operator], self.affine()
        text = affine.condition(Binary(operator, left, right))
        sides = affine.polynomial(left), affine.polynomial(right)
        if text is not None or sides[0] is None or sides[1] is None:
            return text
        difference = affine.text(add(sides[0], sides[1], -1))
        if difference is None or not {self.state.type(fact.left), self.state.type(fact.right)} <= {"int", "long long"}:
            return None
        return f"({difference} {'=' if operator == '==' else operator} 0)"

    def compare(self) -> None:
        """Bound the values by the comparisons that hold, where these are affine in them."""
        used = dict(self.names)
        for fact, wanted in self.state.facts:
            if len(self.names) > _MOST_VALUES:
                break
            if isinstance(fact, Binary) and any(mentions(fact, _shown(part)) for part in used):
                text = self._text(fact, wanted=wanted)
                if text is not None:
                    self.bounds.append(text)
                    self.bounded |= {name for name in used.values() if name in words(text)}


def _shown(part: Expression) -> Expression:
    """What a value is in the source: a distance has the name of its scalar as another type."""
    return part.operand if isinstance(part, Cast) and isinstance(part.operand, Variable) else part
