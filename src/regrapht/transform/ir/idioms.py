"""Spellings of one thing brought to one form: updates, minimum and maximum, early `continue` and `return`."""

from collections.abc import Mapping

from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    mentions,
    place_name,
)
from regrapht.transform.ir.scalar_types import is_float, promoted, size_bytes
from regrapht.transform.ir.statements import BIT_OPERATORS, Assign, Statement, Update

Target = Variable | Element
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""What a comparison is called with its sides changed."""


def as_extreme(expression: Expression) -> Expression:
    """An integer `a < b ? a : b` as a call of `min`, and so on; anything else as it is."""
    match expression:
        case Conditional(Binary("<" | "<=" | ">" | ">=" as operator, left, right), then, otherwise):
            if (then, otherwise) in ((left, right), (right, left)):
                return Call("min" if (operator[0] == "<") == (then == left) else "max", (left, right))
    return expression


def all_of(condition: Expression) -> list[Expression]:
    """The parts of a condition that all must hold, in order."""
    match condition:
        case Binary("&&", left, right):
            return [*all_of(left), *all_of(right)]
    return [condition]


def negation(condition: Expression) -> Expression:
    return condition.operand if isinstance(condition, Unary) and condition.operator == "!" else Unary("!", condition)


def assignment(
    target: Target, operator: str, value: Expression, line: int, types: Mapping[str, str]
) -> Assign | Update:
    """`target operator value` in the form that analysis knows: an `Update` wherever the old value is only combined.

    Args:
        types: Of variables, elements of arrays and helpers: terms are combined in the type that the source combines them in.
    """
    if operator in ("+=", "*="):
        return Update(target, operator[0], value, line)
    if operator == "-=":
        return Update(target, "+", Unary("-", as_term(target, value, types, alone=True)), line)
    if operator != "=":
        return Assign(target, Binary(operator[:-1], target, value), line)
    return (
        _sum_with_itself(target, value, line, types)
        or _product_with_itself(target, value, line)
        or _extreme_call(target, value, line)
        or _extreme_conditional(target, value, line)
        or Assign(target, value, line)
    )


def written_out(update: Update) -> Expression:
    """The value that an update assigns, its old one included."""
    if update.operator in ("+", "*", *BIT_OPERATORS):
        return Binary(update.operator, update.target, update.value)
    order = update.test or ("<" if update.operator == "max" else ">")
    test = Binary(order.removeprefix("!"), update.target, update.value)
    if order.startswith("!"):
        return Conditional(test, update.target, update.value)
    return Conditional(test, update.value, update.target)


def as_term(target: Target, term: Expression, types: Mapping[str, str], *, alone: bool) -> Expression:
    """A term of a sum or product that a target begins, in the type of that where it is wider: `-x` and `x + y` of 32 bits are not what 64
    bits less `x`, or more by both, come to."""
    to = types.get(place_name(target))
    own = promoted(type_of(term, types), "int")
    if to is None or own == to or (is_float(own) and (alone or not is_float(to))):
        return term
    if isinstance(term, Number) and own == "int":
        return term
    is_wider = size_bytes(to) > size_bytes(own) or (is_float(to) and not is_float(own))
    return Cast(to, term) if is_wider else term


def _sum_with_itself(target: Target, value: Expression, line: int, types: Mapping[str, str]) -> Update | None:
    """`s = s + a - b`: the leftmost term of a chain of sums is the target."""
    terms: list[tuple[str, Expression]] = []
    while isinstance(value, Binary) and value.operator in "+-":
        terms.insert(0, (value.operator, value.right))
        value = value.left
    if not terms:
        return None
    if value != target and len(terms) == 1 and terms[0] == ("+", target):
        return None if mentions(value, target) else Update(target, "+", value, line)
    if value != target or any(mentions(term, target) for _, term in terms):
        return None
    if terms != [("+", terms[0][1])]:
        terms = [(sign, as_term(target, term, types, alone=len(terms) == 1)) for sign, term in terms]
    sign, total = terms[0]
    total = Unary("-", total) if sign == "-" else total
    for sign, term in terms[1:]:
        total = Binary(sign, total, term)
    return Update(target, "+", total, line)


def _product_with_itself(target: Target, value: Expression, line: int) -> Update | None:
    if not isinstance(value, Binary) or value.operator != "*":
        return None
    for own, other in ((value.left, value.right), (value.right, value.left)):
        if own == target and not mentions(other, target):
            return Update(target, "*", other, line)
    return None


def _extreme_call(target: Target, value: Expression, line: int) -> Update | None:
    """`s = max(s, x)` in all its spellings. `std::max(a, b)` is `a < b ? b : a`, `std::min(a, b)` is `b < a ? b : a`."""
    kinds = {"fmax": "max", "fmaxf": "max", "max": "max", "fmin": "min", "fminf": "min", "min": "min"}
    if not isinstance(value, Call) or value.function not in kinds or len(value.arguments) != 2:
        return None
    if target not in value.arguments:
        return None
    place = value.arguments.index(target)
    other = value.arguments[1 - place]
    test = {"max": ("<", "!>"), "min": (">", "!<")}[value.function][place] if value.function in ("max", "min") else ""
    return None if mentions(other, target) else Update(target, kinds[value.function], other, line, test)


def _extreme_conditional(target: Target, value: Expression, line: int) -> Update | None:
    """`s = s < x ? x : s`."""
    if not isinstance(value, Conditional) or not isinstance(value.condition, Binary):
        return None
    if value.otherwise == target:
        return _extreme(target, value.condition, value.then, line)
    if value.then == target:
        return _extreme(target, value.condition, value.otherwise, line, taken=False)
    return None


def _extreme(target: Target, condition: Binary, value: Expression, line: int, *, taken: bool = True) -> Update | None:
    """`target` becomes `value` where `condition`, which compares just these two, holds (`taken`) or does not."""
    operator = condition.operator
    if (condition.left, condition.right) == (value, target):
        operator = MIRRORED.get(operator, "")
    elif (condition.left, condition.right) != (target, value):
        return None
    if mentions(value, target) or operator not in MIRRORED:
        return None
    kind = "max" if (operator[0] == "<") == taken else "min"
    return Update(target, kind, value, line, operator if taken else f"!{operator}")


def conditional_extreme(condition: Expression, then: list[Statement], otherwise: list[Statement]) -> Update | None:
    """`if (x > s) s = x;`"""
    if otherwise or len(then) != 1 or not isinstance(then[0], Assign) or not isinstance(condition, Binary):
        return None
    return _extreme(then[0].target, condition, then[0].value, then[0].line)
