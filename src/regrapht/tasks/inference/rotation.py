"""Pointers that take each other's place: `std::swap(cur, next)`, or `tmp = a; a = b; b = tmp;`."""

from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.bounds import ZERO, Unbounded
from regrapht.tasks.inference.index_values import IndexValues
from regrapht.tasks.inference.places import pointer_value, points
from regrapht.tasks.inference.scope import Activation, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node


def swapped(call: "Node") -> "list[Node]":
    """The two names that a call swaps; none for another call."""
    called, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if called is None or listed is None or text_of(called).rpartition("::")[2] != "swap":
        return []
    given = [child for child in listed.named_children if child.type != "comment"]
    return given if len(given) == 2 and all(part.type == "identifier" for part in given) else []


def rotated_places(pointer: "Node", at: Activation, reader: IndexValues) -> list[tuple[str, Polynomial]]:
    """Every (array, offset) that a pointer may have where pointers of the function take each other's place.

    What lies in local memory is left out: it is no array of the task.

    Raises:
        Unbounded: A pointer of the circle moves, or is set to what is not followed.
    """
    names, waiting = set[str](), [text_of(pointer)]
    found: dict[str, Polynomial] = {}
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        for value in _given_to(name, at):
            if value.type == "identifier":
                waiting.append(text_of(value))
            elif points(value, at):
                array, offset = pointer_value(value, at, reader)
                _keep(found, array, offset, pointer)
        if name in at.arrays:
            _keep(found, at.arrays[name], at.offsets.get(name, ZERO), pointer)
    return sorted(found.items())


def _keep(found: dict[str, Polynomial], array: str, offset: Polynomial, pointer: "Node") -> None:
    if found.setdefault(array, offset) != offset:
        raise Unbounded(
            f"the pointer {text_of(pointer)!r}, which is set to several places of {array!r},", line_of(pointer)
        )


def _given_to(name: str, at: Activation) -> "list[Node]":
    """All that a pointer is set to: by declarations of its name, assignments and swaps."""
    given: list[Node] = []
    for store in stores_to(name, at.function):
        names, right = swapped(store), store.child_by_field_name("right")
        operator = store.child_by_field_name("operator")
        if names:
            given += [part for part in names if text_of(part) != name]
        elif right is not None and operator is not None and text_of(operator) == "=":
            given.append(right)
        else:
            raise Unbounded(f"the pointer {name!r}, which is set anew,", line_of(store))
    for part in walk(at.function.body):
        declared, value = part.child_by_field_name("declarator"), part.child_by_field_name("value")
        named = text_of(declared).lstrip("*& ").removeprefix("const ").strip() if declared is not None else ""
        if part.type == "init_declarator" and value is not None and named == name:
            given.append(value)
    return given
