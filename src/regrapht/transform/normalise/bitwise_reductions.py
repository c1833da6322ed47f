"""Bitwise reductions: `x |= y`, `x &= y` and `x ^= y` of integers as updates, whose order among iterations does not matter."""

from collections.abc import Iterator
from dataclasses import replace

from regrapht.transform.ir.expressions import Binary, Cast, Element, Expression, Variable, mentions, place_name
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statements import (
    BIT_OPERATORS,
    RESULT,
    Allocate,
    Assign,
    Declare,
    For,
    Function,
    If,
    Statement,
    Update,
    While,
    every,
)
from regrapht.transform.normalise.forms import Form, leaves_fewer_alone
from regrapht.transform.plan.analysis import Analysis


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, None]]:
    function = with_bitwise_reductions(analysis.function)
    if function is not None:
        yield function, None


BITWISE_REDUCTIONS = Form(_candidates, lambda before, after, _: leaves_fewer_alone(before, after))


def with_bitwise_reductions(function: Function) -> Function | None:
    """The function with such assignments as updates; None where it has none."""
    types = {p.name: p.type for p in function.parameters}
    types |= {name: one.type for name, one in function.fields.items()}
    types |= {s.name: s.type for s in every(function.body) if isinstance(s, Declare | Allocate)}
    if function.returns:
        types[RESULT] = function.returns
    integers = {name: of for name, of in types.items() if is_integer(of) and of != "bool"}
    body = [_updated(statement, integers) for statement in function.body]
    return replace(function, body=body) if body != function.body else None


def _updated(statement: Statement, integers: dict[str, str]) -> Statement:
    match statement:
        case Assign(target, value, line):
            return _update(target, value, line, integers) or statement
        case If(condition, then, otherwise, line):
            return If(condition, _all(then, integers), _all(otherwise, integers), line)
        case For(body=body) | While(body=body):
            return replace(statement, body=_all(body, integers))
    return statement


def _all(statements: list[Statement], integers: dict[str, str]) -> list[Statement]:
    return [_updated(statement, integers) for statement in statements]


def _update(target: Variable | Element, value: Expression, line: int, integers: dict[str, str]) -> Update | None:
    """Bits of a value beyond those of the target's type change nothing, and so one of any integer type will do."""
    own = integers.get(place_name(target))
    if isinstance(value, Cast) and value.type == own:
        value = value.operand
    match value:
        case Binary(operator, left, right) if own and operator in BIT_OPERATORS and target in (left, right):
            other = right if left == target else left
            return None if mentions(other, target) else Update(target, operator, other, line)
    return None
