"""All expressions of a list of statements."""

from collections.abc import Iterator

from regrapht.propose.transform.frontend.expressions import Expression
from regrapht.propose.transform.frontend.statements import (
    Assign,
    Declare,
    For,
    If,
    Return,
    Statement,
    Update,
    While,
    every,
)


def expressions_of(statements: list[Statement]) -> Iterator[Expression]:
    """Every whole expression, in order; their parts are not listed."""
    for statement in every(statements):
        match statement:
            case Assign(target=target, value=value) | Update(target=target, value=value):
                yield target
                yield value
            case If(condition=condition) | While(condition=condition):
                yield condition
            case For(start=start, condition=condition):
                yield start
                yield condition
            case Declare(value=value) | Return(value=value):
                if value is not None:
                    yield value
