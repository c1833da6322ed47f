"""The comparisons that end a loop which counts up, and differences of what they compare."""

from dataclasses import dataclass

from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Call,
    Cast,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    walk,
)
from regrapht.transform.ir.idioms import all_of, as_extreme
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import For
from regrapht.transform.normalise.induction_variables import minus, plus


@dataclass(frozen=True, slots=True)
class End:
    """One comparison that ends a loop that counts up: its variable plus `added` against `bound`."""

    condition: Expression
    bound: Expression
    added: Expression
    is_inclusive: bool

    def limit(self, type_name: str = "") -> Expression:
        """What the variable stays below, computed in a type."""
        bound, added = (Cast(type_name, one) if type_name else one for one in (self.bound, self.added))
        limit = bound if self.added == ZERO else difference(bound, added)
        return plus(limit, ONE) if self.is_inclusive else limit


def ends_of(loop: For) -> list[End] | None:
    """The comparisons that end a loop; None where there are others, or its turns change what it is compared with."""
    found: list[End] = []
    changed = assigned_variables(loop.body)
    for part in [one for whole in all_of(loop.condition) for one in _without_minimum(whole)]:
        match part:
            case Binary("<" | "<=" as operator, Variable(name=name), bound) if name == loop.variable:
                end = End(part, bound, ZERO, operator == "<=")
            case Binary("<" | "<=" as operator, Binary("+", Variable(name=name), added), bound) if (
                name == loop.variable
            ):
                end = End(part, bound, added, operator == "<=")
            case Binary(">" | ">=" as operator, bound, Variable(name=name)) if name == loop.variable:
                end = End(part, bound, ZERO, operator == ">=")
            case _:
                return None
        parts = [one for whole in (end.bound, end.added) for one in walk(whole)]
        names = {one.name for one in parts if isinstance(one, Variable)}
        if any(isinstance(one, Element | Call) for one in parts) or names & {loop.variable, *changed}:
            return None
        found.append(end)
    return found


def _without_minimum(part: Expression) -> list[Expression]:
    """`i < min(a, b)` as two comparisons."""
    match part:
        case Binary("<" | "<=" as operator, left, bound):
            bound = as_extreme(bound)
            if isinstance(bound, Call) and bound.function == "min" and len(bound.arguments) == 2:
                return [one for end in bound.arguments for one in _without_minimum(Binary(operator, left, end))]
    return [part]


def difference(value: Expression, taken: Expression) -> Expression:
    """The difference of two sums, without the terms that both have."""
    left, right = _terms(value, 1), _terms(taken, -1)
    for sign, term in list(right):
        if (-sign, term) in left:
            left.remove((-sign, term))
            right.remove((sign, term))
    out: Expression = ZERO
    for sign, term in sorted([*left, *right], key=lambda one: -one[0]):
        out = plus(out, term) if sign > 0 else minus(out, term)
    return out


def _terms(value: Expression, sign: int) -> list[tuple[int, Expression]]:
    match value:
        case Binary("+", left, right):
            return _terms(left, sign) + _terms(right, sign)
        case Binary("-", left, right):
            return _terms(left, sign) + _terms(right, -sign)
        case Unary("-", operand):
            return _terms(operand, -sign)
        case Number(value=0):
            return []
    return [(sign, value)]
