"""Expressions that are pointers: the place in an array that each points to."""

from regrapht.transform.ir.expressions import Unary
from regrapht.transform.reader.algorithms import found_place
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.ranges import finds_place
from regrapht.transform.reader.scope import Pointer, Scope, require_set
from regrapht.transform.reader.side_effects import increment
from regrapht.transform.reader.struct_values import field_value
from regrapht.transform.reader.syntax import SyntaxNode
from regrapht.transform.reader.vectors import method_place


def read_pointer(context: Context, node: SyntaxNode, scope: Scope) -> Pointer | None:
    """The place in an array that `node` points to; None when it is no pointer."""
    text = context.source.text
    if node.type == "identifier":
        found = scope.find(text(node))
        if isinstance(found, Pointer):
            require_set(found, text(node), context.source.line(node))
        return found if isinstance(found, Pointer) else None
    if node.type == "parenthesized_expression":
        return context.pointer(node.named_children[0], scope)
    if node.type == "update_expression":
        return _moved_pointer(context, node, scope)
    if node.type == "call_expression":
        given = node.child_by_field_name("arguments").named_children
        if text(node.child_by_field_name("function")) == "std::move" and len(given) == 1:
            return context.pointer(given[0], scope)
        found = _found_place(context, node, scope)
        return found if found is not None else method_place(context, node, scope)
    if node.type == "field_expression":
        held = field_value(context, node, scope)
        return held if isinstance(held, Pointer) else None
    if node.type == "binary_expression" and text(node.child_by_field_name("operator")) in ("+", "-"):
        left = context.pointer(node.child_by_field_name("left"), scope)
        right = node.child_by_field_name("right")
        if left is None and text(node.child_by_field_name("operator")) == "+":
            right_pointer = context.pointer(right, scope)
            return right_pointer and right_pointer.moved(context.read(node.child_by_field_name("left"), scope))
        if left is None:
            return None
        by = context.read(right, scope)
        return left.moved(by if text(node.child_by_field_name("operator")) == "+" else Unary("-", by))
    if node.type == "subscript_expression":
        base = context.pointer(node.child_by_field_name("argument"), scope)
        if base is None:
            return None
        indices = node.child_by_field_name("indices").named_children
        return base.subscripted(context.read(indices[0], scope))
    if node.type == "pointer_expression" and text(node).startswith("&"):
        place = context.pointer(node.child_by_field_name("argument"), scope)
        if place is None or not place.prefix:
            return None
        return Pointer(place.array, place.rank, place.prefix[:-1], place.prefix[-1])
    return None


def _found_place(context: Context, node: SyntaxNode, scope: Scope) -> Pointer | None:
    """The place that a search of the standard library finds."""

    if not context.takes_effects or not finds_place(context.source, node):
        return None
    return found_place(context, node, scope)


def _moved_pointer(context: Context, node: SyntaxNode, scope: Scope) -> Pointer | None:
    """The place that `p++` points to, the step being noted."""
    if not context.takes_effects or context.pointer(node.child_by_field_name("argument"), scope) is None:
        return None
    moved = increment(context, node, scope)
    return moved if isinstance(moved, Pointer) else None
