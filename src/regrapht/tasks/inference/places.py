"""Where pointers point: the array of the entry, and how far into it."""

from typing import TYPE_CHECKING

from regrapht.source.syntax import line_of, text_of
from regrapht.tasks.inference.bounds import ZERO, Unbounded
from regrapht.tasks.inference.index_values import IndexValues, is_step
from regrapht.tasks.inference.polynomial import Polynomial
from regrapht.tasks.inference.scope import Activation, Declaration, find_declaration, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node


def is_pointer(node: "Node", at: Activation) -> bool:
    """Whether a name is one of the entry's arrays, or a local pointer into one."""
    declared = find_declaration(node, text_of(node), at.function)
    if declared is None:
        return text_of(node) in at.arrays
    if declared.is_loop or declared.value is None or not _declares_pointer(declared):
        return False
    return any(
        part.type == "identifier" and part.id != node.id and is_pointer(part, at)
        for part in _pointer_parts(declared.value)
    )


def whole_pointer(node: "Node") -> "Node":
    """The largest expression around a pointer that is one too: `(p + 1)`, `p++` inside `*p++`."""
    while node.parent is not None:
        outer = node.parent
        arithmetic = outer.type == "binary_expression" and text_of(outer.children[1]) in "+-"
        read = outer.type == "update_expression" and outer.parent is not None and outer.parent.type in _READING
        if outer.type != "parenthesized_expression" and not arithmetic and not read:
            return node
        node = outer
    return node


_READING = ("pointer_expression", "subscript_expression", "init_declarator", "parenthesized_expression")


def pointer_value(node: "Node", at: Activation, reader: IndexValues) -> tuple[str, Polynomial]:
    """The array that a pointer expression points into, and the element.

    Raises:
        Unbounded: It is no such expression, or moves in a way that is not followed.
    """
    match node.type:
        case "identifier":
            return _named(node, at, reader)
        case "parenthesized_expression":
            return pointer_value(node.named_children[0], at, reader)
        case "update_expression":
            target = node.child_by_field_name("argument")
            if target is not None:
                array, offset = pointer_value(target, at, reader)
                before = node.children[0].id != target.id
                step = Polynomial.constant(1 if any(child.type == "++" for child in node.children) else -1)
                return array, offset + step if before else offset
        case "binary_expression" if text_of(node.children[1]) in "+-":
            left, right = node.children[0], node.children[2]
            if any(part.type == "identifier" and is_pointer(part, at) for part in _pointer_parts(left)):
                array, offset = pointer_value(left, at, reader)
                by = reader.value(right, at)
                return array, offset + by if text_of(node.children[1]) == "+" else offset - by
            array, offset = pointer_value(right, at, reader)
            return array, offset + reader.value(left, at)
        case "pointer_expression" if text_of(node.children[0]) == "&":
            inner = node.child_by_field_name("argument")
            listed = inner.child_by_field_name("indices") if inner is not None else None
            base = inner.child_by_field_name("argument") if inner is not None else None
            if base is not None and listed is not None and len(listed.named_children) == 1:
                array, offset = pointer_value(base, at, reader)
                return array, offset + reader.value(listed.named_children[0], at)
    raise Unbounded(f"the pointer {text_of(node)!r}", line_of(node))


def _named(node: "Node", at: Activation, reader: IndexValues) -> tuple[str, Polynomial]:
    name, declared = text_of(node), find_declaration(node, text_of(node), at.function)
    stores = stores_to(name, at.function)
    if not all(is_step(store) for store in stores):
        raise Unbounded(f"the pointer {name!r}, which is set anew,", line_of(node))
    if declared is None:
        if name not in at.arrays:
            raise Unbounded(f"the pointer {name!r}", line_of(node))
        moved = reader.moved(node, stores, at.function.body, at) if stores else ZERO
        return at.arrays[name], moved
    if declared.value is None or declared.node.parent is None:
        raise Unbounded(f"the pointer {name!r}", line_of(node))
    array, offset = pointer_value(declared.value, at, reader)
    block = declared.node.parent.parent or at.function.body
    return array, offset + (reader.moved(node, stores, block, at) if stores else ZERO)


def _declares_pointer(declared: Declaration) -> bool:
    inner = declared.node.child_by_field_name("declarator")
    return inner is not None and inner.type == "pointer_declarator"


def _pointer_parts(node: "Node") -> "list[Node]":
    """The names that a pointer expression may be about: those outside of subscripts."""
    match node.type:
        case "identifier":
            return [node]
        case "binary_expression":
            return [*_pointer_parts(node.children[0]), *_pointer_parts(node.children[2])]
        case "parenthesized_expression":
            return _pointer_parts(node.named_children[0])
        case "pointer_expression" | "update_expression" | "subscript_expression":
            inner = node.child_by_field_name("argument")
            return _pointer_parts(inner) if inner is not None else []
    return []
