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
from regrapht.transform.normalise.forms import Form
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.plan.nest import Kind
from regrapht.transform.polyhedral.loop_tree import Key, loop_key


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, None]]:
    function = with_bitwise_reductions(analysis.function)
    if function is not None:
        yield function, None


def _accept(before: Analysis, after: Analysis, _: None) -> bool:
    """Whether fewer loops run in one thread, or are the launcher's, and no loop became the launcher's but such that one thread ran."""
    serial, launched = _without_threads(before)
    serial_after, launched_after = _without_threads(after)
    moved = launched_after <= launched | {variable for variable, _ in serial}
    return moved and (serial_after < serial or (serial_after == serial and launched_after < launched))


def _without_threads(analysis: Analysis) -> tuple[set[Key], set[str]]:
    """The outermost loops of nests that one thread runs, and the loops of the launcher."""
    serial = {loop_key(nest.root) for nest in analysis.nests if nest.kind is Kind.SERIAL}
    return serial, {variable for nest in analysis.nests for variable in nest.host_loops}


BITWISE_REDUCTIONS = Form(_candidates, _accept)


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
