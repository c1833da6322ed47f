"""Small questions about the syntax of integer expressions."""

from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import bare, line_of, plain_text, text_of, walk
from regrapht.tasks.inference.bounds import Unbounded
from regrapht.tasks.inference.loops import step_of

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
