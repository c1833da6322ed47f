"""What the standard library's loops over a range touch: `std::fill(p, p + n, x)`, `memcpy`, `std::vector<float> v(p, p + n)`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from regrapht.source.library_calls import FROM_TO, SECOND_ARRAY, SO_MANY, SUMS
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import bare, line_of, plain_text, text_of, walk
from regrapht.tasks.inference.accesses.heap import bytes_of_elements, element_bytes, product_factors
from regrapht.tasks.inference.accesses.places import pointer_value, points, rotated_places
from regrapht.tasks.inference.values.bounds import Unbounded
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.scope import Activation

if TYPE_CHECKING:
    from tree_sitter import Node

_VECTOR = re.compile(r"(?:const\s+)?(?:std\s*::\s*)?vector\s*<[^;{}()]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """The last element of a range that is read, or written."""

    array: str
    last: Polynomial
    only_read: bool
    node: "Node"
    summed: Polynomial | None = None
    """How many elements are added up, where they are."""
    filled_from: Polynomial | None = None
    """The first element, where the range is written without being read."""


def touched_ranges(node: "Node", at: Activation, reader: IndexValues) -> list[Touched] | None:
    """The ranges of the entry's arrays that a call, or the declaration of a vector, touches; None for what is neither.

    Raises:
        Unbounded: It is one of these, and how far it reaches cannot be told.
    """
    if node.type == "function_declarator":
        _refuse_made(node, at)
        return None
    listed = node.child_by_field_name("value" if node.type == "init_declarator" else "arguments")
    if listed is None or listed.type != "argument_list":
        return None
    given = [child for child in listed.named_children if child.type != "comment"]
    if given and text_of(given[0]).startswith("std::execution::"):
        given = given[1:]
    if not any(points(part, at) for part in given):
        return None
    if node.type == "init_declarator":
        return _of_vector(node, given, at, reader)
    called = node.child_by_field_name("function")
    name = text_of(called).rpartition("::")[2] if called is not None else ""
    if at.unit.named(name) or name not in {**FROM_TO, **SO_MANY} or len(given) < 2:
        return None
    first, place = given[0], 1
    if name in FROM_TO:
        count = _between(first, given[1], at, reader)
        place = 2
    elif name in ("memset", "memcpy", "memmove"):
        count = _elements(given[2], given[: 1 if name == "memset" else 2], at, reader) if len(given) == 3 else None
    else:
        count, place = reader.value(given[1], at), 2
    if count is None:
        raise Unbounded(f"{text_of(first)!r}, handed to {name!r},", line_of(node))
    found = _reach(first, count, FROM_TO.get(name) or SO_MANY[name], at, reader)
    if name in SUMS:
        found = [replace(touched, summed=count) for touched in found]
    if name == "transform" and len(given) in (4, 5):
        for part, what in zip(given[2:-1], ("w",) if len(given) == 4 else ("r", "w"), strict=True):
            found += _reach(part, count, what, at, reader)
    if name in SECOND_ARRAY and len(given) > place:
        found += _reach(given[place], count, SECOND_ARRAY[name], at, reader)
    return found


def _refuse_made(declarator: "Node", at: Activation) -> None:
    """Refuse `Thing v(a, b)` with pointers, which is read as a function's declaration: what it does with them is not followed."""
    parameters = declarator.child_by_field_name("parameters")
    names = {text_of(part) for part in walk(parameters) if not part.named_children} if parameters is not None else set()
    if names & set(at.arrays):
        raise Unbounded(f"the pointer in {text_of(declarator)!r}", line_of(declarator))


def _of_vector(node: "Node", given: "Sequence[Node]", at: Activation, reader: IndexValues) -> list[Touched]:
    kind = node.parent.child_by_field_name("type") if node.parent is not None else None
    named = at.unit.aliases.get(text_of(kind), text_of(kind)) if kind is not None else ""
    if not _VECTOR.fullmatch(named) or len(given) != 2:
        raise Unbounded(f"the pointer in {text_of(node)!r}", line_of(node))
    count = _between(given[0], given[1], at, reader)
    if count is None:
        raise Unbounded(f"the range in {text_of(node)!r}", line_of(node))
    return _reach(given[0], count, "r", at, reader)


def _reach(place: "Node", count: Polynomial, what: str, at: Activation, reader: IndexValues) -> list[Touched]:
    if not points(place, at):
        return []
    try:
        places = [pointer_value(place, at, reader)]
    except Unbounded:
        if place.type != "identifier":
            raise
        places = rotated_places(place, at, reader)
        what = "r" if what == "r" else "u"  # it may be another array that is written
    return [
        Touched(
            array=array,
            last=offset + count - Polynomial.constant(1),
            only_read=what == "r",
            node=place,
            filled_from=offset if what == "w" else None,
        )
        for array, offset in places
    ]


def _between(begin: "Node", end: "Node", at: Activation, reader: IndexValues) -> Polynomial | None:
    """How many elements lie between two pointers, or in a whole vector; None where they are not into one array."""
    whole = [re.fullmatch(r"(\w+)\.c?(begin|end)\(\)", text_of(part)) for part in (begin, end)]
    if whole[0] and whole[1] and whole[0][1] == whole[1][1] and (whole[0][2], whole[1][2]) == ("begin", "end"):
        return vector_length(whole[0][1], at, reader)
    if (
        end.type == "binary_expression"
        and text_of(end.children[1]) == "+"
        and plain_text(bare(end.children[0])) == plain_text(bare(begin))
    ):
        return reader.value(end.children[2], at)
    if not (points(begin, at) and points(end, at)):
        return None
    (first, low), (last, high) = pointer_value(begin, at, reader), pointer_value(end, at, reader)
    return high - low if first == last else None


def vector_length(vector: str, at: Activation, reader: IndexValues) -> Polynomial | None:
    """The length that a vector is declared with; None where it is not to be seen."""
    for node in walk(at.function.body):
        kind = node.child_by_field_name("type") if node.type == "declaration" else None
        if kind is None or not _VECTOR.fullmatch(at.unit.aliases.get(text_of(kind), text_of(kind))):
            continue
        for declarator in node.children_by_field_name("declarator"):
            named = declarator.child_by_field_name("declarator")
            if named is not None and text_of(named) == vector:
                return _declared_length(declarator, at, reader)
    return None


def _declared_length(declarator: "Node", at: Activation, reader: IndexValues) -> Polynomial | None:
    listed = declarator.child_by_field_name("value")
    if listed is not None and listed.type == "argument_list":
        given = [child for child in listed.named_children if child.type != "comment"]
        if len(given) == 2 and points(given[0], at):
            return _between(given[0], given[1], at, reader)
        return reader.value(given[0], at) if given else None
    parameters = declarator.child_by_field_name("parameters")  # `v(n * m)` is also the declaration of a function
    if parameters is None or not parameters.named_children:
        return None
    length = Polynomial.constant(1)
    for factor in text_of(parameters.named_children[0]).split("*"):
        value = at.values.get(factor.strip())
        if value is None:
            return None
        length = length * value
    return length


def _elements(size: "Node", places: "Sequence[Node]", at: Activation, reader: IndexValues) -> Polynomial | None:
    """How many elements of the arrays at `places` so many bytes are; None where no `sizeof` says so."""
    names = [part for place in places for part in walk(place) if part.type == "identifier"]
    known = [found for name in names if (found := element_bytes(name, at)) is not None]
    if not known or len(set(known)) > 1:
        return None
    return bytes_of_elements(product_factors(size), known[0], at, reader)
