"""A local that is only returned lives in the result itself: no scratch memory, no copying kernel."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from regrapht.transform.ir.expressions import Element, Expression, Number, Variable, rewrite
from regrapht.transform.ir.statements import (
    RESULT,
    Assign,
    Declare,
    For,
    Function,
    If,
    Return,
    Statement,
    Update,
    While,
    every,
)

Rename = Callable[[Expression], Any]


def merge_result(function: Function) -> list[Statement]:
    """The body of `function`; `T s = x; ...; result[0] = s;` becomes `result[0] = x; ...` where the types agree."""
    body, place = function.body, Element(RESULT, (Number("0", 0),))
    last = body[-1] if body else None
    if not isinstance(last, Assign) or last.target != place or not isinstance(last.value, Variable):
        return body
    name = last.value.name
    declared = [s for s in body if isinstance(s, Declare) and s.name == name]
    others = [s for s in every(body) if isinstance(s, Assign) and s.target == place]
    updates = [s for s in every(body) if isinstance(s, Assign | Update) and s.target == last.value]
    if len(declared) != 1 or declared[0].type != function.returns or len(others) != 1 or not updates:
        return body

    def renamed(expression: Expression) -> Expression:
        return rewrite(expression, lambda part: place if part == Variable(name) else None)

    return _renamed(body[:-1], name, renamed, place)


def _renamed(statements: list[Statement], name: str, renamed: Rename, place: Element) -> list[Statement]:
    out: list[Statement] = []
    for statement in statements:
        match statement:
            case Declare(name=declared, value=value, line=line) if declared == name:
                if value is not None:
                    out.append(Assign(place, renamed(value), line))
            case Declare(type, other, value, line, lengths, values):
                out.append(Declare(type, other, None if value is None else renamed(value), line, lengths, values))
            case Assign(target, value, line):
                out.append(Assign(renamed(target), renamed(value), line))
            case Update(target=target, value=value):
                out.append(replace(statement, target=renamed(target), value=renamed(value)))
            case If(condition, then, otherwise, line):
                then, otherwise = (_renamed(part, name, renamed, place) for part in (then, otherwise))
                out.append(If(renamed(condition), then, otherwise, line))
            case For(start=start, condition=condition, body=inner):
                inner = _renamed(inner, name, renamed, place)
                out.append(replace(statement, start=renamed(start), condition=renamed(condition), body=inner))
            case While(condition, inner, line):
                out.append(While(renamed(condition), _renamed(inner, name, renamed, place), line))
            case Return():
                out.append(statement)
            case _:
                out.append(statement)
    return out
