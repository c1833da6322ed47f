"""Numbers that turns hand on and compare, as maps that can be combined: a step with bounds behind it (`x = max(0, x + a)`), and the
greatest or least of several values, each with a step of its own, as small tables of dynamic programming keep them.
"""

from collections.abc import Sequence
from dataclasses import replace

from regrapht.transform.ir.expressions import (
    ZERO,
    Binary,
    Call,
    Cast,
    Conditional,
    Expression,
    Number,
    Unary,
    integer,
    place_name,
)
from regrapht.transform.ir.scalar_types import is_float, is_unsigned, size_bytes
from regrapht.transform.plan.contributions import Family, NoScan, RunningValue
from regrapht.transform.plan.number_maps import Found, NumberMaps, Place, Wider
from regrapht.transform.polyhedral.loop_tree import Leaf
from regrapht.transform.polyhedral.scop import Scop

_EXTREMES = {"max": "max", "fmax": "max", "fmaxf": "max", "min": "min", "fmin": "min", "fminf": "min"}
_COMPARED = ("<", "<=", ">", ">=")


def bounded(
    group: Sequence[RunningValue], known: Sequence[Place], unknown: Sequence[Place], leaf: Leaf, scop: Scop
) -> Found:
    """One value that each turn moves by a step and keeps within bounds."""
    if len(group) != 1:
        raise NoScan("several values within bounds hang on each other")
    return _in_order(_Bounded, group, known, unknown, leaf, scop)


def extreme(
    group: Sequence[RunningValue], known: Sequence[Place], unknown: Sequence[Place], leaf: Leaf, scop: Scop
) -> Found:
    """Values each of which a turn makes the greatest, or the least, of them all with a step."""
    try:
        return _in_order(_Extreme, group, known, unknown, leaf, scop)
    except NoScan:
        return _in_order(_Least, group, known, unknown, leaf, scop)


def _in_order(
    kind: "type[_Bounded | _Extreme]",
    group: Sequence[RunningValue],
    known: Sequence[Place],
    unknown: Sequence[Place],
    leaf: Leaf,
    scop: Scop,
) -> Found:
    """A map of comparisons: of numbers that do not wrap around."""
    types = {value.type for value in group}
    if any(not is_float(one) and (is_unsigned(one) or size_bytes(one) < 4) for one in types):
        raise NoScan("what it keeps within bounds may wrap around")
    floats = {is_float(one) for one in types}
    if floats == {False, True}:
        raise NoScan("values that it hands on have several types")
    numbers = ["long long"] if floats == {False} else ["double"] if "double" in types else ["float", "double"]
    for number in numbers:
        try:
            return kind(group, known, unknown, leaf, scop, number).found()
        except Wider:
            continue
    raise NoScan("values that it hands on have several types")


class _Compared(NumberMaps):
    """Numbers that are compared: a step must not wrap around."""

    def _check_type(self, value: Expression) -> None:
        super()._check_type(value)
        if is_unsigned(self._type(value)):
            raise NoScan("what it keeps within bounds may wrap around")


class _Bounded(_Compared):
    """`min(greatest, max(least, value + step))`: steps move all three, bounds the outer ones."""

    family = Family.BOUNDED

    def _titles(self) -> Sequence[str]:
        return ("least", "step", "greatest")

    def _of_known(self, value: Expression) -> list[Expression]:
        same = Cast(self.number, value)
        return [same, ZERO, same]

    def _row(self, value: Expression) -> list[Expression]:
        match value:
            case Binary("+" | "-" as operator, left, right):
                if not self._is_moved(right):
                    return self._moved_by(self.columns_of(left), operator, right)
                if operator == "+" and not self._is_moved(left):
                    return self._moved_by(self.columns_of(right), "+", left)
            case Call(function, (left, right)) if function in _EXTREMES:
                for moved, bound in ((left, right), (right, left)):
                    if not self._is_moved(bound):
                        return self._within(_EXTREMES[function], self.columns_of(moved), bound)
            case Conditional(condition, then, otherwise):
                if not self._is_moved(condition):
                    return self._selected(condition, then, otherwise)
                return self.columns_of(_as_extreme(condition, then, otherwise))
            case Cast(to, operand) if is_float(to) or size_bytes(self._type(operand)) <= size_bytes(to):
                return self.columns_of(operand)
        raise NoScan("what it adds depends on the running value")

    def _moved_by(self, columns: list[Expression], operator: str, step: Expression) -> list[Expression]:
        least, moved, greatest = columns
        by = self._step(step)

        def unless(column: Expression, end: Expression) -> Expression:
            added = Binary(operator, column, by)
            return added if isinstance(column, Cast) else Conditional(Binary("==", column, end), column, added)

        lowest, highest = _ends(self.number)
        return [unless(least, lowest), Binary(operator, moved, by), unless(greatest, highest)]

    def _within(self, operator: str, columns: list[Expression], bound: Expression) -> list[Expression]:
        self._check(bound)
        least, moved, greatest = columns
        at = Cast(self.number, bound)
        return [Call(operator, (least, at)), moved, Call(operator, (greatest, at))]


class _Extreme(_Compared):
    """The greatest or least of the values, each with a step: a column for the step from each value, and one for what hangs on none."""

    family = Family.EXTREME
    operator = "max"

    def _titles(self) -> Sequence[str]:
        return [f"by_{place_name(value.place)}" for value in self.group] + ["alone"]

    def found(self) -> Found:
        made, statements = super().found()
        return replace(made, operator=self.operator), statements

    @property
    def none(self) -> Expression:
        """What stands for no way from a value."""
        return _ends(self.number)[0 if self.operator == "max" else 1]

    def _of_known(self, value: Expression) -> list[Expression]:
        return [*(self.none for _ in self.group), Cast(self.number, value)]

    def _row(self, value: Expression) -> list[Expression]:
        match value:
            case Binary("+" | "-" as operator, left, right):
                if not self._is_moved(right):
                    return self._moved_by(self.columns_of(left), operator, right)
                if operator == "+" and not self._is_moved(left):
                    return self._moved_by(self.columns_of(right), "+", left)
            case Call(function, (left, right)) if _EXTREMES.get(function) == self.operator:
                return self._joined(left, right)
            case Conditional(condition, then, otherwise):
                if not self._is_moved(condition):
                    return self._selected(condition, then, otherwise)
                return self.columns_of(_as_extreme(condition, then, otherwise))
            case Cast(to, operand) if is_float(to) or size_bytes(self._type(operand)) <= size_bytes(to):
                return self.columns_of(operand)
        raise NoScan("what it adds depends on the running value")

    def _joined(self, left: Expression, right: Expression) -> list[Expression]:
        def better(one: Expression, other: Expression) -> Expression:
            if self.none in (one, other):
                return other if one == self.none else one
            return Call(self.operator, (one, other))

        return [better(*pair) for pair in zip(self.columns_of(left), self.columns_of(right), strict=True)]

    def _moved_by(self, columns: list[Expression], operator: str, step: Expression) -> list[Expression]:
        by = self._step(step)

        def moved(column: Expression) -> Expression:
            added = Binary(operator, column, by)
            known = column == self.none or isinstance(column, Cast)
            if known:
                return column if column == self.none else added
            return Conditional(Binary("==", column, self.none), column, added)

        return [moved(column) for column in columns]


class _Least(_Extreme):
    operator = "min"


def _as_extreme(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """`a > b ? a + c : b + c` as `max(a, b) + c`, and its like."""
    if isinstance(condition, Binary) and condition.operator in _COMPARED:
        left, right = condition.left, condition.right
        for first, second, turned in ((left, right, False), (right, left, True)):
            more, other = _more_than(then, first), _more_than(otherwise, second)
            if more is not None and more == other:
                greater = (condition.operator[0] == ">") != turned
                whole = Call("max" if greater else "min", (left, right))
                return whole if more == ZERO else Binary("+", whole, more)
    raise NoScan("what it adds depends on the running value")


def _more_than(value: Expression, base: Expression) -> Expression | None:
    """`c` where the value is `base + c`."""
    if value == base:
        return ZERO
    if isinstance(value, Binary) and value.operator == "+" and base in (value.left, value.right):
        return value.right if value.left == base else value.left
    return value if integer(base) == 0 else None


def _ends(number: str) -> tuple[Expression, Expression]:
    """What stands for no bound below and none above."""
    if is_float(number):
        return Unary("-", Number("INFINITY")), Number("INFINITY")
    return Number("LLONG_MIN"), Number("LLONG_MAX")
