"""Subscripts into arrays and vectors that the code declares itself: what index arrays must hold so that these stay inside too."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.accesses import Access, Reading
from regrapht.tasks.inference.array_shapes import data_limits
from regrapht.tasks.inference.bounds import ONE, Unbounded
from regrapht.tasks.inference.heap import heap_length
from regrapht.tasks.inference.index_values import IndexValues
from regrapht.tasks.inference.places import pointer_place
from regrapht.tasks.inference.ranges import vector_length
from regrapht.tasks.inference.scope import Activation, array_declarator

if TYPE_CHECKING:
    from tree_sitter import Node


def local_limits(reading: Reading) -> Iterator[tuple[str, Polynomial]]:
    """(index array, what its elements must stay below) for each local array that a subscript from an index array goes into.

    Raises:
        Unbounded: Such a subscript goes into an array or vector whose length is not known.
    """
    reader = IndexValues(reading.symbols, vector_length=vector_length, pointer_place=pointer_place)
    seen: set[tuple[str, int]] = set()
    for access in reading.accesses:
        key = (access.at.prefix, access.at.function.node.id)
        if key not in seen:
            seen.add(key)
            yield from _of_function(access, reading, reader)


def _of_function(access: Access, reading: Reading, reader: IndexValues) -> Iterator[tuple[str, Polynomial]]:
    at = access.at
    for node in walk(at.function.body):
        listed = node.child_by_field_name("indices") if node.type == "subscript_expression" else None
        base, depth = node.child_by_field_name("argument"), 0
        while base is not None and base.type == "subscript_expression":
            base, depth = base.child_by_field_name("argument"), depth + 1
        if listed is None or base is None or base.type != "identifier" or text_of(base) in at.arrays:
            continue
        try:
            index = reader.value(listed.named_children[0], at)
        except Unbounded:
            continue  # it does not come from an array of the task alone
        from_data = [symbol for symbol in reading.symbols.of(index) if symbol.data_array is not None]
        if not from_data:
            continue
        length = _length(base, depth, at, reader)
        if length is None:
            if reader.points_into_task(base, at):
                continue
            raise Unbounded(f"{text_of(node)!r}, which is an element of an array of unknown length,", line_of(node))
        try:
            fits = (length - ONE - reading.symbols.upper(index)).is_never_negative()
        except Unbounded:
            fits = False
        if not fits:
            yield from data_limits(index, length, reading.symbols, typed=True)


def _length(base: "Node", depth: int, at: Activation, reader: IndexValues) -> Polynomial | None:
    """The extent of a local or constant array in one of its dimensions, or the length of a vector."""
    declared = array_declarator(base, at)
    if declared is None:
        length = vector_length(text_of(base), at, reader)
        return heap_length(base, at, reader) if length is None else length
    sizes: list[Node | None] = []
    while declared is not None and declared.type == "array_declarator":
        sizes.insert(0, declared.child_by_field_name("size"))
        declared = declared.child_by_field_name("declarator")
    size = sizes[depth] if depth < len(sizes) else None
    try:
        return reader.value(size, at) if size is not None else None
    except Unbounded:
        return None
