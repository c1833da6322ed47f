"""How much memory a function makes for itself: it bounds the sizes that are timed as its arrays do."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.accesses.heap import made_length
from regrapht.tasks.inference.values.bounds import Unbounded
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.scope import Activation

if TYPE_CHECKING:
    from tree_sitter import Node

_VECTOR = re.compile(r"(?:std\s*::\s*)?vector\s*<.*>")


def scratch_lengths(at: Activation, reader: IndexValues) -> list[Polynomial]:
    """The elements of each vector and each piece of memory that the function declares, where sizes alone decide on them."""
    found = []
    for node in walk(at.function.body):
        if node.type != "declaration":
            continue
        for declarator in node.children_by_field_name("declarator"):
            try:
                length = _length(node, declarator, at, reader)
            except Unbounded:
                continue
            if length is not None and not any(name in reader.symbols.known for part in length.terms for name in part):
                found.append(length)
    return found


def _length(declaration: "Node", declarator: "Node", at: Activation, reader: IndexValues) -> Polynomial | None:
    kind = declaration.child_by_field_name("type")
    written = at.unit.aliases.get(text_of(kind), text_of(kind)) if kind is not None else ""
    if _VECTOR.fullmatch(written):
        return _of_vector(declarator.child_by_field_name("value"), at, reader)
    value = declarator.child_by_field_name("value")
    return made_length(value, written, at, reader) if value is not None else None


def _of_vector(listed: "Node | None", at: Activation, reader: IndexValues) -> Polynomial | None:
    """Of `(n)`, `(n, value)` and, in vectors of vectors, `(n, vector(m, value))`."""
    if listed is None or listed.type != "argument_list":
        return None
    given = [child for child in listed.named_children if child.type != "comment"]
    if not given:
        return None
    length = reader.value(given[0], at)
    for inner in _inner_vectors(given[1:]):
        inside = _of_vector(inner.child_by_field_name("arguments"), at, reader)
        length = length * inside if inside is not None else length
    return length


def _inner_vectors(given: "list[Node]") -> "Iterator[Node]":
    for node in given:
        called = node.child_by_field_name("function") if node.type == "call_expression" else None
        if called is not None and _VECTOR.fullmatch(text_of(called)):
            yield node
