"""What a function's body changes."""

from collections.abc import Iterator
from typing import Any

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import operands, through


def written_parts(body: Cursor, source: Any) -> Iterator[Cursor]:
    """The expressions that the code assigns to, counts up, takes the address of, or hands over to be changed."""
    for node in body.walk_preorder():
        kind = node.kind.name
        children = list(node.get_children())
        if kind == "COMPOUND_ASSIGNMENT_OPERATOR" or (kind == "BINARY_OPERATOR" and node.spelling == "="):
            yield children[0]
        elif kind == "UNARY_OPERATOR" and children:
            text = source(node)
            if text.startswith(("++", "--", "&")) or text.endswith(("++", "--")):
                yield children[0]
        elif kind == "CALL_EXPR" and node.referenced is not None:
            yield from _changed_arguments(node)
        elif (
            (kind == "VAR_DECL" or node.spelling.startswith("["))
            and node.type.kind.name == "LVALUEREFERENCE"
            and children
        ):
            yield from children[-1:] if not node.type.get_pointee().is_const_qualified() else ()


def is_member_of_element(node: Cursor) -> bool:
    """Whether an expression is a member of an array's element, or of a member of it: `v[i].position.x` changes `v`."""
    inside = node.kind.name == "MEMBER_REF_EXPR"
    while node.kind.name == "MEMBER_REF_EXPR" and (children := list(node.get_children())):
        node = through(children[0])
    element = node.kind.name == "CALL_EXPR" and node.spelling in ("operator[]", "at")
    return inside and (element or node.kind.name == "ARRAY_SUBSCRIPT_EXPR")


def _changed_arguments(call: Cursor) -> Iterator[Cursor]:
    meant = call.referenced
    if meant.spelling in ("operator=", "operator+=", "operator-=", "operator*=", "operator/="):
        yield from operands(call)[:1]
        return
    kinds = [one.type for one in meant.get_arguments() or ()]
    given = list(call.get_arguments())
    if meant.kind.name == "CXX_METHOD" and meant.spelling.startswith("operator"):
        given = operands(call)[1:]
    for kind, argument in zip(kinds, given, strict=False):
        kind = kind.get_canonical()
        if kind.kind.name == "LVALUEREFERENCE" and not kind.get_pointee().is_const_qualified():
            yield argument
