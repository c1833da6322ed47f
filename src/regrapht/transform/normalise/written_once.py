"""Tests of an element that no later turn passes once one has passed it and written the element."""

from regrapht.transform.ir.expressions import FALSE, TRUE, Binary, Cast, Expression, Unary, Variable, integer
from regrapht.transform.ir.idioms import MIRRORED
from regrapht.transform.ir.scalar_types import holds_all, in_range, is_integer
from regrapht.transform.ir.statements import Assign, For


def is_never_again(test: Expression, write: Assign, element_type: str, loop: For) -> bool:
    """Whether a test of the element that `write` sets is false afterwards, whatever the turn: `first[k] < 0` where a turn's number is
    written, `!seen[k]` where 1 is."""
    if not is_integer(element_type):
        return False
    low, high = _range(write.value, element_type, loop)
    if low is None:
        return False
    element: Expression = write.target
    match test:
        case Unary("!", operand) if operand == element:
            return low > 0 or (high is not None and high < 0)
        case Binary("<" | ">" | "<=" | ">=" | "==" | "!=" as operator, left, right):
            order: str = operator
            if right == element:
                order, left, right = MIRRORED.get(operator, operator), right, left
            bound = integer(right) if right not in (TRUE, FALSE) else int(right == TRUE)
            if left != element or bound is None:
                return False
            return _is_false(order, low, high, bound)
    return False


def _is_false(operator: str, low: int, high: int | None, bound: int) -> bool:
    """Whether no value from `low` to `high` (None: any) is so to the bound."""
    match operator:
        case "<":
            return low >= bound
        case "<=":
            return low > bound
        case ">":
            return high is not None and high <= bound
        case ">=":
            return high is not None and high < bound
        case "==":
            return low > bound or (high is not None and high < bound)
    return low == high == bound


def _range(value: Expression, element_type: str, loop: For) -> tuple[int | None, int | None]:
    """The least and largest values that the element has afterwards; None where that is not known."""
    known = int(value == TRUE) if value in (TRUE, FALSE) else integer(value)
    if known is not None:
        return (known, known) if in_range(known, element_type) else (None, None)
    match value:
        case Cast(type=to, operand=operand) if holds_all(to, loop.type):
            return _range(operand, element_type, loop)
        case Variable(name=name) if name == loop.variable and holds_all(element_type, loop.type):
            return integer(loop.start), None
        case Binary("+", left, right):
            parts = [_range(side, element_type, loop) for side in (left, right)]
            if parts[0][0] is not None and parts[1][0] is not None and loop.type in ("int", "long long"):
                return parts[0][0] + parts[1][0], None
    return None, None
