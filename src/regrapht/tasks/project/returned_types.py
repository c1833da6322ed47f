"""The types of what functions return, and the expressions that return statements make it of."""

from collections.abc import Iterable, Iterator
from typing import Any

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import through
from regrapht.tasks.project.places import is_scalar, shape_of
from regrapht.tasks.project.struct_values import fields_of

_MOST_LISTED = 16
"""Elements of a returned array that are written as a list, and not as one local variable."""


def number_leaves(kind: Any) -> list[tuple[tuple[str, ...], Any]] | None:
    """(names, type) of the numbers of a struct that has nothing else, or of a pair; None for another type."""
    kind = kind.get_canonical()
    if kind.spelling.startswith("std::pair<"):
        types = [kind.get_template_argument_type(number).get_canonical() for number in range(2)]
        both = zip(("first", "second"), types, strict=True)
        return [((name,), one) for name, one in both] if all(is_scalar(one) for one in types) else None
    if is_fixed_array(kind):
        element = kind.get_template_argument_type(0).get_canonical()
        return [((f"[{at}]",), element) for at in range(extent(kind))] if extent(kind) <= _MOST_LISTED else None
    found: list[tuple[tuple[str, ...], Any]] = []
    for one in fields_of(kind) or ():
        if is_scalar(one.type):
            found.append(((one.spelling,), one.type.get_canonical()))
        else:
            found += [((one.spelling, *names), leaf) for names, leaf in number_leaves(one.type) or ()]
    return found or None


def is_fixed_array(kind: Any) -> bool:
    """Whether it is a `std::array` of numbers."""
    named = kind.spelling.removeprefix("const ").startswith("std::array<")
    return named and is_scalar(kind.get_template_argument_type(0))


def member_text(of: str, names: Iterable[str]) -> str:
    """A part of an object: `of.name`, or `of[2]`."""
    return of + "".join(name if name.startswith("[") else f".{name}" for name in names)


def own_returns(node: Cursor) -> Iterator[Cursor]:
    """The return statements of a body, without those of functions inside of it."""
    for child in node.get_children():
        if child.kind.name == "RETURN_STMT":
            yield child
        elif child.kind.name != "LAMBDA_EXPR":
            yield from own_returns(child)


def returned_variable(statement: Cursor) -> Cursor | None:
    """The variable that a return statement names."""
    node = through(next(iter(statement.get_children()), statement))
    while node.kind.name == "CALL_EXPR" and node.referenced is not None and node.referenced.kind.name == "CONSTRUCTOR":
        inner = list(node.get_children())
        if len(inner) != 1:
            return None
        node = through(inner[0])
    meant = node.referenced if node.kind.name == "DECL_REF_EXPR" else None
    return meant if meant is not None and meant.kind.name == "VAR_DECL" else None


def is_vector(kind: Any) -> bool:
    shape = shape_of(kind)
    return shape is not None and shape.kind == "sequence" and shape.container == "vector" and not shape.inner


def unwrapped(value: Cursor) -> Cursor:
    """The expression inside of casts that are written as calls."""
    node = through(value)
    while node.kind.name in ("CXX_FUNCTIONAL_CAST_EXPR", "UNEXPOSED_EXPR"):
        inner = [one for one in node.get_children() if one.kind.is_expression()]
        if len(inner) != 1:
            break
        node = through(inner[0])
    return node


def extent(kind: Any) -> int:
    """How many elements an array of a fixed length has."""
    if kind.kind.name == "CONSTANTARRAY":
        return int(kind.element_count)
    return int(kind.get_size()) // max(int(kind.get_template_argument_type(0).get_size()), 1)


def parts_listed(value: Cursor, count: int) -> list[Cursor]:
    """The parts of a struct that is written as a list of `count` expressions; none where it is written otherwise."""
    node = through(value)
    while node.kind.name in ("CXX_FUNCTIONAL_CAST_EXPR", "UNEXPOSED_EXPR", "CALL_EXPR"):
        given = [one for one in node.get_children() if one.kind.is_expression()]
        made = node.referenced is not None and node.spelling in ("pair", "make_pair")
        if node.kind.name == "CALL_EXPR" and made and len(list(node.get_arguments())) == count == 2:
            return list(node.get_arguments())
        if len(given) != 1 or (node.kind.name == "CALL_EXPR" and node.spelling != "pair"):
            return []
        node = through(given[0])
    children = list(node.get_children()) if node.kind.name == "INIT_LIST_EXPR" else []
    while len(children) == 1 and children[0].kind.name == "INIT_LIST_EXPR":  # an array inside of std::array
        children = list(children[0].get_children())
    return children if len(children) == count and all(is_scalar(one.type) for one in children) else []
