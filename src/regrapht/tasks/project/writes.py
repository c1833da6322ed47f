"""What a function's body changes."""

from collections.abc import Iterator
from typing import Any

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import operands, receiver_of, through


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
        elif kind == "VAR_DECL" and children and _may_change(node.type) and _is_array(children[-1]):
            yield children[-1]
        elif kind == "CXX_FOR_RANGE_STMT" and children[0].type.kind.name == "LVALUEREFERENCE":
            yield from children[1:2] if not children[0].type.get_pointee().is_const_qualified() else ()


def is_member_of_element(node: Cursor) -> bool:
    """Whether an expression is a member of an array's element, or of a member of it, or an element there: `v[i].position.x` and
    `v[i].f[k]` change `v`."""
    inside, found = node, False
    while inside.kind.name == "MEMBER_REF_EXPR" or _is_element(inside):
        children = operands(inside) if inside.kind.name == "CALL_EXPR" else list(inside.get_children())
        if not children:
            break
        base = through(children[0])
        found = found or (inside.kind.name == "MEMBER_REF_EXPR" and _is_element(base))
        inside = base
    return found


def _changes_its_object(meant: Cursor) -> bool:
    """Whether a function is one of the project's classes that may change the object that it is called for."""
    is_method = meant.kind.name == "CXX_METHOD" and not meant.is_static_method() and not meant.is_const_method()
    return bool(is_method and not meant.location.is_in_system_header)


def _is_element(node: Cursor) -> bool:
    called = node.kind.name == "CALL_EXPR" and node.spelling in ("operator[]", "at")
    return called or str(node.kind.name) == "ARRAY_SUBSCRIPT_EXPR"


def _is_array(value: Cursor) -> bool:
    """Whether an expression names an array, which stands for a pointer to its elements."""
    return through(value).type.get_canonical().kind.name == "CONSTANTARRAY"


def _may_change(kind: Any) -> bool:
    """Whether what a pointer points to may be changed by it."""
    kind = kind.get_canonical()
    return kind.kind.name == "POINTER" and not kind.get_pointee().is_const_qualified()


def _changed_arguments(call: Cursor) -> Iterator[Cursor]:
    meant = call.referenced
    if meant.spelling in ("operator=", "operator+=", "operator-=", "operator*=", "operator/="):
        yield from operands(call)[:1]
        return
    receiver = None
    if _changes_its_object(meant):
        receiver = operands(call)[0] if meant.spelling.startswith("operator") else receiver_of(call)
    if receiver is not None and (_is_element(through(receiver)) or is_member_of_element(through(receiver))):
        yield receiver
    kinds = [one.type for one in meant.get_arguments() or ()]
    given = list(call.get_arguments())
    if meant.kind.name == "CXX_METHOD" and meant.spelling.startswith("operator"):
        given = operands(call)[1:]
    for kind, argument in zip(kinds, given, strict=False):
        kind = kind.get_canonical()
        changes = kind.kind.name == "LVALUEREFERENCE" and not kind.get_pointee().is_const_qualified()
        if changes or (_may_change(kind) and _is_array(argument)):
            yield argument
