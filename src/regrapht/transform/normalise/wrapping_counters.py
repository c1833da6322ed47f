"""Counters that go round, `if (++at == d) at = 0;` and `at = (at + 1) % d;`, as the remainder of the turn's number by `d`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Conditional,
    Element,
    Expression,
    Variable,
    integer,
    place_name,
    walk,
)
from regrapht.transform.ir.statement_walk import mentions_variable, rewritten
from regrapht.transform.ir.statements import Allocate, Assign, Declare, For, Function, If, Statement, Update, every


def with_wrapped_counters(loop: For, function: Function) -> Iterator[tuple[For, list[str]]]:
    """The loop without a counter that goes round, and that counter; where it has none, the loop as it is."""
    new, told = loop, list[str]()
    for place, one in enumerate(loop.body):
        found = _around(one, loop.body[place + 1 :])
        if found is None:
            continue
        name, end, length = found
        starts = loop.step == 1 and integer(loop.start) is not None and _begins_at_zero(name, loop, function)
        if starts and _is_fixed(end, loop) and _is_a_length(end, name, loop, function):
            new = replace(loop, body=_told(loop, place, length, name, end))
            told = [name]
            break
    yield new, told


def _around(one: Statement, behind: Sequence[Statement]) -> tuple[str, Expression, int] | None:
    """The counter that goes round here, its end, and how many statements that takes."""
    match one:
        case Assign(Variable(name), Binary("%", Binary("+", Variable(same), step), end)) if (
            name == same and step == ONE
        ):
            return name, end, 1
        case Assign(Variable(name), Conditional(Binary("==" | ">=", raised, end), zero, again)) if (
            raised == again == Binary("+", Variable(name), ONE) and zero == ZERO
        ):
            return name, end, 1
        case Assign(Variable(name), Conditional(Binary("<" | "!=", raised, end), again, zero)) if (
            raised == again == Binary("+", Variable(name), ONE) and zero == ZERO
        ):
            return name, end, 1
        case Update(Variable(name), "+", step) if step == ONE and behind:
            match behind[0]:
                case If(Binary("==" | ">=", Variable(same), end), [Assign(Variable(set_again), zero)], []) if (
                    name == same == set_again and zero == ZERO
                ):
                    return name, end, 2
    return None


def _told(loop: For, place: int, length: int, name: str, end: Expression) -> list[Statement]:
    """The body with the counter written out, before it is raised and behind that."""
    turn: Expression = Variable(loop.variable)
    if integer(loop.start):
        turn = Binary("-", turn, loop.start)
    before, after = Binary("%", turn, end), Binary("%", Binary("+", turn, ONE), end)

    def told(statements: Sequence[Statement], value: Expression) -> list[Statement]:
        return rewritten(list(statements), lambda part: value if part == Variable(name) else None)

    return [*told(loop.body[:place], before), *told(loop.body[place + length :], after)]


def _begins_at_zero(name: str, loop: For, function: Function) -> bool:
    """Whether a counter is a local that is 0 before the loop, and that nothing but the loop uses."""
    declared = [one for one in every(function.body) if isinstance(one, Declare) and one.name == name]
    inside = list(every(loop.body))
    changes = [one for one in inside if isinstance(one, Assign | Update) and one.target == Variable(name)]
    around = [one for one in every(function.body) if isinstance(one, For) and loop in one.body]
    if len(declared) != 1 or declared[0].value != ZERO or len(changes) > 2:
        return False
    body = around[0].body if around else function.body
    if loop not in body or declared[0] not in body:
        return False
    others = [one for one in body if one is not loop and one is not declared[0]]
    return not mentions_variable(others, name)


def _is_fixed(end: Expression, loop: For) -> bool:
    changed = {place_name(one.target) for one in every(loop.body) if isinstance(one, Assign | Update)}
    return not changed & {place_name(p) for p in walk(end) if isinstance(p, Variable | Element)}


def _is_a_length(end: Expression, name: str, loop: For, function: Function) -> bool:
    """Whether a counter's end is positive wherever the loop has a turn: a number, or the length of a buffer whose element it tells."""
    value = integer(end)
    if value is not None:
        return value > 0
    lengths = {one.name: one.length for one in every(function.body) if isinstance(one, Allocate)}
    for one in loop.body:
        wholes = [one.target, one.value] if isinstance(one, Assign | Update) else []
        wholes += [one.value] if isinstance(one, Declare) and one.value is not None else []
        parts = (part for whole in wholes for part in walk(whole))
        told = (part.array for part in parts if isinstance(part, Element) and part.subscripts == (Variable(name),))
        if any(lengths.get(array) == end for array in told):
            return True
    return False
