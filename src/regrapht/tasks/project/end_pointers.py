"""Pairs of pointers to where an array begins and ends: in a flat function, the array and how many elements it has."""

from collections.abc import Iterator
from itertools import pairwise

from regrapht.source.library_calls import FROM_TO
from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import through
from regrapht.tasks.project.places import shape_of

_COMPARISONS = ("!=", "==", "<", ">", "<=", ">=")


def ends_of(function: Cursor, seen: frozenset[str] = frozenset()) -> dict[str, Cursor]:
    """Identity of a parameter that is the end of an array -> the parameter before it, the array's beginning.

    Args:
        seen: Functions that hand their arguments on to this one, by identity.
    """
    if function.get_usr() in seen:
        return {}
    seen |= {function.get_usr()}
    parameters = list(function.get_arguments())
    found = {}
    for begin, end in pairwise(parameters):
        if begin.get_usr() not in found and _points_alike(begin, end) and _is_end(function, begin, end, seen):
            found[end.get_usr()] = begin
    return found


def _points_alike(begin: Cursor, end: Cursor) -> bool:
    kinds = [one.type.get_canonical() for one in (begin, end)]
    if any(kind.kind.name != "POINTER" for kind in kinds):
        return False
    shapes = [shape_of(kind) for kind in kinds]
    plain = all(shape is not None and shape.kind == "sequence" and not shape.inner for shape in shapes)
    return plain and shapes[0].element == shapes[1].element and bool(begin.spelling and end.spelling)  # type: ignore[union-attr]


def _is_end(function: Cursor, begin: Cursor, end: Cursor, seen: frozenset[str]) -> bool:
    """Whether a pointer is only ever compared with, subtracted from, or handed on behind the beginning."""
    uses = list(_uses(function, end.get_usr()))
    return bool(uses) and all(_as_end(parent, begin, end, seen) for parent in uses)


def _uses(node: Cursor, usr: str) -> Iterator[Cursor]:
    """The expressions that a variable is an operand or an argument of."""
    for child in node.get_children():
        inner = through(child)
        if inner.kind.name == "DECL_REF_EXPR" and inner.referenced is not None and inner.referenced.get_usr() == usr:
            yield node
        else:
            yield from _uses(inner, usr)


def _as_end(parent: Cursor, begin: Cursor, end: Cursor, seen: frozenset[str]) -> bool:
    if parent.kind.name == "CALL_EXPR":
        given = [through(one) for one in parent.get_arguments()]
        names = [one.referenced.get_usr() if one.referenced is not None else "" for one in given]
        places = [number for number, name in enumerate(names) if name == end.get_usr()]
        behind = all(number and names[number - 1] == begin.get_usr() for number in places)
        return behind and all(_takes_an_end(parent.referenced, number, seen) for number in places)
    sides = list(parent.get_children())
    if parent.kind.name != "BINARY_OPERATOR" or len(sides) != 2:
        return False
    operator = parent.spelling
    is_left = through(sides[0]).referenced is not None and through(sides[0]).referenced.get_usr() == end.get_usr()
    return operator in _COMPARISONS or (operator == "-" and is_left)


def _takes_an_end(function: Cursor | None, number: int, seen: frozenset[str]) -> bool:
    """Whether an argument of a function is where a range ends: of the standard library's, or of one that takes it for that."""
    if function is None:
        return False
    if function.location.is_in_system_header:
        return function.spelling in FROM_TO and number in (1, 2)  # behind a policy it is the third
    body = (function.specialized_template or function).get_definition()
    parameters = list(body.get_arguments()) if body is not None else []
    ends = ends_of(body, seen) if number < len(parameters) else {}
    return number < len(parameters) and parameters[number].get_usr() in ends


def difference(node: Cursor, ends: dict[str, Cursor], changed: set[str]) -> Cursor | None:
    """The beginning, where an expression is `end - begin` of a beginning that stays; None for another expression."""
    sides = [through(one) for one in node.get_children()]
    if node.kind.name != "BINARY_OPERATOR" or len(sides) != 2 or any(one.referenced is None for one in sides):
        return None
    begin = ends.get(sides[0].referenced.get_usr())
    same = begin is not None and sides[1].referenced.get_usr() == begin.get_usr()
    plain = same and begin.get_usr() not in changed and node.spelling == "-"  # type: ignore[union-attr]
    return begin if plain else None
