"""Small questions about the syntax of integer expressions, and whether one can be negative."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import bare, line_of, plain_text, text_of, walk
from regrapht.tasks.inference.values.bounds import Unbounded
from regrapht.tasks.inference.values.loops import step_of
from regrapht.tasks.inference.values.scope import Activation, find_declaration, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node


def whole_number(digits: str) -> int:
    """A C integer: hexadecimal, octal (a leading 0) or decimal."""
    bare = digits.lstrip("-").lower()
    base = (
        16
        if bare.startswith("0x")
        else 8
        if bare.startswith("0") and bare.isdigit() and set(bare) <= set("01234567")
        else 10
    )
    return int(bare, base) * (-1 if digits.startswith("-") else 1)


def is_step(store: "Node") -> bool:
    """Whether a store adds to the variable: `i++`, `i += n`."""
    operator = store.child_by_field_name("operator")
    return step_of(store) is not None or (operator is not None and text_of(operator) in ("+=", "-="))


def comparisons(function: FunctionDefinition) -> "list[tuple[str, str, Node]]":
    """Every comparison `name < bound` in the function, as (name, operator, bound)."""
    found = (_comparison(node) for node in walk(function.body) if node.type == "binary_expression")
    return [test for test in found if test is not None]


def _comparison(node: "Node") -> "tuple[str, str, Node] | None":
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None or left.type != "identifier":
        return None
    return (text_of(left), text_of(operator), right) if text_of(operator) in ("<", "<=", ">", ">=") else None


def is_extreme(node: "Node") -> tuple[bool, bool]:
    """Whether `c ? x : y` is the smaller, or the larger, of the two values that its test compares."""
    test = field_of(node, "condition")
    while test.type in ("condition_clause", "parenthesized_expression"):
        test = test.named_children[0]
    if test.type != "binary_expression" or text_of(test.children[1]) not in ("<", "<=", ">", ">="):
        return False, False
    texts = [plain_text(bare(part)) for part in (test.children[0], test.children[2])]
    ends = [plain_text(bare(field_of(node, side))) for side in ("consequence", "alternative")]
    less = text_of(test.children[1]).startswith("<")
    if ends == texts:
        return less, not less
    return (not less, less) if ends == texts[::-1] else (False, False)


def less_and_more(node: "Node") -> "tuple[Node, Node, bool] | None":
    """(a, b, whether x is the value where a < b, or else y) of `c ? x : y` whose test says of two values which is less."""
    test = field_of(node, "condition")
    while test.type in ("condition_clause", "parenthesized_expression"):
        test = test.named_children[0]
    operator = text_of(test.children[1]) if test.type == "binary_expression" else ""
    if operator not in ("<", "<=", ">", ">="):
        return None
    less, more = (
        (test.children[0], test.children[2]) if operator in ("<", ">=") else (test.children[2], test.children[0])
    )
    return less, more, operator in ("<", ">")


@dataclass(frozen=True, slots=True)
class Limit:
    """One side of a clamp: where x is beyond `bound`, `value` is taken, else `rest`."""

    x: str
    bound: "Node"
    value: "Node"
    rest: "Node"
    is_low: bool


def clamp_of(node: "Node") -> tuple[Limit, Limit] | None:
    """The lower and the upper limit of `x < low ? low : x > high ? high : x`, in whatever order and spelling."""
    for outer in _limits(node):
        inside = outer.rest
        while inside.type == "parenthesized_expression":
            inside = inside.named_children[0]
        for inner in _limits(inside) if inside.type == "conditional_expression" else ():
            if inner.x == outer.x == text_of(inner.rest) and inner.is_low != outer.is_low:
                return (outer, inner) if outer.is_low else (inner, outer)
    return None


def _limits(node: "Node") -> Iterator[Limit]:
    """Every way to read a choice as a limit of one of the two values that it compares."""
    found = less_and_more(node)
    if found is None:
        return
    less, more, first = found
    sides = [field_of(node, side) for side in ("consequence", "alternative")]
    when_less, otherwise = sides if first else sides[::-1]
    yield Limit(text_of(less), more, when_less, otherwise, True)
    yield Limit(text_of(less), more, otherwise, when_less, False)
    yield Limit(text_of(more), less, when_less, otherwise, False)
    yield Limit(text_of(more), less, otherwise, when_less, True)


def is_only_subscripted(name: str, block: "Node") -> bool:
    """Whether nothing but subscripts touches a local array: no pointer to it, no call that is given it."""
    for part in walk(block):
        if part.type != "identifier" or text_of(part) != name or part.parent is None:
            continue
        used = part.parent.type == "subscript_expression" and part.parent.child_by_field_name("argument") == part
        if not used and part.parent.type != "array_declarator":
            return False
    return True


def field_of(node: "Node", name: str) -> "Node":
    """The child that must be there."""
    child = node.child_by_field_name(name)
    if child is None:
        raise Unbounded(f"{shortened(node)!r}", line_of(node))
    return child


def shortened(node: "Node") -> str:
    """The text on one line, for messages."""
    return " ".join(text_of(node).split())[:60]


_NOT_NEGATIVE = {"fabs", "fabsf", "abs", "sqrt", "sqrtf", "exp", "expf", "exp2f", "hypot", "hypotf"}
_KEPT = {"floor", "floorf", "round", "roundf", "lround", "lroundf", "trunc", "truncf", "rint", "ceil", "ceilf"}
_DEPTH = 30


def is_never_negative(node: "Node", at: Activation, *, depth: int = 0) -> bool:
    """Whether no input makes the expression negative. NaN is not thought of; integers count as what their text says.

    False also where it cannot be told.
    """
    if depth > _DEPTH:
        return False

    def inner(part: "Node | None") -> bool:
        return part is not None and is_never_negative(part, at, depth=depth + 1)

    match node.type:
        case "number_literal":
            return not text_of(node).startswith("-")
        case "parenthesized_expression" | "cast_expression":
            return inner(node.child_by_field_name("value") or node.named_children[0])
        case "identifier":
            return _is_variable_never_negative(node, at, depth)
        case "binary_expression":
            left, operator, right = node.children[0], text_of(node.children[1]), node.children[2]
            if operator == "*" and text_of(left) == text_of(right):
                return True
            if operator == "-":
                return _is_at_least_one(left, at) and re.fullmatch(r"1(\.0*)?f?", text_of(right)) is not None
            return operator in ("*", "+", "/") and inner(left) and inner(right)
        case "conditional_expression":
            ends = [node.child_by_field_name(side) for side in ("consequence", "alternative")]
            tested = _tested_for_sign(node.child_by_field_name("condition"))
            if tested is not None and ends[tested[1]] is not None:
                kept = ends[tested[1]]
                return inner(ends[1 - tested[1]]) and (_only(kept, tested[0]) or inner(kept))
            return all(inner(end) for end in ends)
        case "call_expression":
            called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            name = re.sub(r"<.*", "", text_of(called)).rpartition("::")[2] if called is not None else ""
            given = listed.named_children if listed is not None else []
            if name in ("max", "fmaxf", "fmax"):
                return any(inner(part) for part in given)
            if name in ("min", "fminf", "fmin") or name in _KEPT or text_of(node).startswith("static_cast<"):
                return bool(given) and all(inner(part) for part in given)
            return name in _NOT_NEGATIVE
    return False


def _is_variable_never_negative(node: "Node", at: Activation, depth: int) -> bool:
    name = text_of(node)
    declared = find_declaration(node, name, at.function)
    if declared is None:
        return name in at.values and not stores_to(name, at.function)  # a size
    given = [declared.value] if declared.value is not None else []
    for store in stores_to(name, at.function):
        operator, right = store.child_by_field_name("operator"), store.child_by_field_name("right")
        if operator is None or text_of(operator) not in ("=", "*=", "+=", "/=") or right is None:
            return False
        given.append(right)
    return bool(given) and all(is_never_negative(value, at, depth=depth + 1) for value in given)


def _is_at_least_one(node: "Node", at: Activation) -> bool:
    """Whether an expression is a size of the task, of which none is below 1."""
    return node.type == "identifier" and text_of(node) in at.values and not stores_to(text_of(node), at.function)


def _tested_for_sign(test: "Node | None") -> tuple[str, int] | None:
    """(what is compared with 0, which branch has it not negative) of `x < 0 ? ... : ...`."""
    while test is not None and test.type in ("parenthesized_expression", "condition_clause"):
        test = test.named_children[0]
    if test is None or test.type != "binary_expression":
        return None
    if re.fullmatch(r"0(\.0*)?f?", text_of(test.children[2])) is None:
        return None
    operator = text_of(test.children[1])
    return (
        (text_of(test.children[0]), 1 if operator.startswith("<") else 0)
        if operator in ("<", "<=", ">", ">=")
        else None
    )


def _only(node: "Node | None", name: str) -> bool:
    """Whether an expression gives nothing but `name`, which is not negative here, or a number: `x > 1 ? 1 : x`."""
    while node is not None and node.type == "parenthesized_expression":
        node = node.named_children[0]
    if node is None:
        return False
    if node.type == "conditional_expression":
        return all(_only(node.child_by_field_name(side), name) for side in ("consequence", "alternative"))
    return text_of(node) == name or (node.type == "number_literal" and not text_of(node).startswith("-"))
