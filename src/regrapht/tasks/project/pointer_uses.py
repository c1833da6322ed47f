"""What a function does with a pointer that it is given: whether it is to one object, or to an array."""

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import through
from regrapht.tasks.project.places import is_plain_struct, is_scalar, shape_of

_INDEXING = ("ARRAY_SUBSCRIPT_EXPR", "BINARY_OPERATOR", "CALL_EXPR", "UNARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR")


def points_to_a_number(function: Cursor, parameter: Cursor) -> bool:
    """Whether a pointer to a constant number is only ever followed: `*n`, as Fortran hands over numbers."""
    kind = parameter.type.get_canonical()
    if kind.kind.name != "POINTER" or not is_scalar(kind.get_pointee()) or not kind.get_pointee().is_const_qualified():
        return False
    usr, uses, followed = parameter.get_usr(), 0, 0
    for node in function.walk_preorder():
        if node.kind.name == "DECL_REF_EXPR" and node.referenced is not None and node.referenced.get_usr() == usr:
            uses += 1
        elif node.kind.name == "UNARY_OPERATOR" and next(iter(node.get_tokens())).spelling == "*":
            inner = through(next(iter(node.get_children())))
            followed += inner.kind.name == "DECL_REF_EXPR" and inner.referenced.get_usr() == usr
    return 0 < uses == followed


def points_to_an_object(function: Cursor, pointer: Cursor) -> bool:
    """Whether a pointer to a struct, a parameter or a local one, stands for one object; not where it is used as an array of plain ones."""
    kind = pointer.type.get_canonical().get_pointee().get_canonical()
    if kind.kind.name != "RECORD":
        return False
    shape = shape_of(kind)
    is_object = shape is not None and shape.kind == "object"
    return is_object and (not is_plain_struct(kind) or not is_indexed(function, pointer))


def is_indexed(function: Cursor, parameter: Cursor) -> bool:
    """Whether a pointer to a struct is used as an array of them, or moves along one."""
    usr = parameter.get_usr()
    for node in function.walk_preorder():
        if node.kind.name not in _INDEXING or (node.kind.name == "UNARY_OPERATOR" and not _counts(node)):
            continue
        for child in node.get_children():
            inner = child
            while (
                inner.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR")
                and next(iter(inner.get_children()), None) is not None
            ):
                inner = next(iter(inner.get_children()))
            if (
                inner.kind.name == "DECL_REF_EXPR"
                and inner.referenced is not None
                and inner.referenced.get_usr() == usr
            ) and (node.kind.name != "BINARY_OPERATOR" or node.spelling in ("+", "-", "=")):
                return True
    return False


def _counts(node: Cursor) -> bool:
    """Whether it is `++p`, `p++` or one down."""
    return any(token.spelling in ("++", "--") for token in node.get_tokens())
