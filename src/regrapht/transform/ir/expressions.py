"""Expressions of the engine's own small syntax tree: immutable, comparable, without types."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from regrapht.transform.ir.scalar_types import in_range, is_integer


@dataclass(frozen=True, slots=True)
class Number:
    """A literal, or a named constant: `text` is how it is printed, `value` its value when it is a known integer."""

    text: str
    value: int | None = None


ZERO, ONE = Number("0", 0), Number("1", 1)
TRUE, FALSE = Number("true", 1), Number("false", 0)


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Unary:
    operator: str
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a mathematical function (without `std::`) or of a helper in the same file."""

    function: str
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Element:
    """One element of an array: `array[s0][s1]...`."""

    array: str
    subscripts: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


@dataclass(frozen=True, slots=True)
class Cast:
    type: str
    operand: "Expression"


Expression = Number | Variable | Binary | Unary | Call | Element | Conditional | Cast


def children(expression: Expression) -> tuple[Expression, ...]:
    match expression:
        case Binary(left=left, right=right):
            return (left, right)
        case Unary(operand=operand) | Cast(operand=operand):
            return (operand,)
        case Call(arguments=arguments):
            return arguments
        case Element(subscripts=subscripts):
            return subscripts
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
    return ()


def place_name(place: Expression) -> str:
    """The variable or array that a place, which can be written, is in."""
    assert isinstance(place, Variable | Element), "only these can be written"
    return place.name if isinstance(place, Variable) else place.array


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and all below it."""
    yield expression
    for child in children(expression):
        yield from walk(child)


def mentions(expression: Expression, what: Expression) -> bool:
    return any(part == what for part in walk(expression))


def rewrite(expression: Expression, change: Callable[[Expression], Expression | None]) -> Expression:
    """The expression with every part, outermost first, replaced by `change(part)` where that is not None."""
    changed = change(expression)
    if changed is not None:
        return changed

    def again(part: Expression) -> Expression:
        return rewrite(part, change)

    match expression:
        case Binary(operator, left, right):
            return Binary(operator, again(left), again(right))
        case Unary(operator, operand):
            return Unary(operator, again(operand))
        case Cast(to, operand):
            return Cast(to, again(operand))
        case Call(function, arguments):
            return Call(function, tuple(map(again, arguments)))
        case Element(array, subscripts):
            return Element(array, tuple(map(again, subscripts)))
        case Conditional(condition, then, otherwise):
            return Conditional(again(condition), again(then), again(otherwise))
    return expression


def number(value: int) -> Expression:
    """The constant expression of a value."""
    return Number(str(value), value) if value >= 0 else Unary("-", Number(str(-value), -value))


def integer(expression: Expression) -> int | None:
    """The value of a constant integer expression; None when it is not one."""
    match expression:
        case Number(value=value):
            return value
        case Unary("-", operand):
            inner = integer(operand)
            return None if inner is None else -inner
        case Unary("+", operand):
            return integer(operand)
        case Cast(type=to, operand=operand) if is_integer(to):
            inner = integer(operand)
            return inner if inner is not None and in_range(inner, to) else None
        case Binary(operator, left, right) if operator in "+-*":
            a, b = integer(left), integer(right)
            if a is None or b is None:
                return None
            return a + b if operator == "+" else a - b if operator == "-" else a * b
        case Binary("/", left, right):
            a, b = integer(left), integer(right)
            return a // b if a is not None and b and a >= 0 and b > 0 else None
    return None
