"""What arrays of subscripts may hold: the largest value in each, and what local arrays that they index can take."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.accesses.accesses import Access, Reading
from regrapht.tasks.inference.accesses.heap import heap_length
from regrapht.tasks.inference.accesses.modes import Mode
from regrapht.tasks.inference.accesses.places import pointer_place
from regrapht.tasks.inference.accesses.ranges import vector_length
from regrapht.tasks.inference.shapes.array_shapes import data_limits
from regrapht.tasks.inference.shapes.usage import symbols_behind
from regrapht.tasks.inference.values.bounds import ONE, Symbol, Unbounded
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.scope import Activation, array_declarator

if TYPE_CHECKING:
    from tree_sitter import Node

ENTRIES_A_ROW = 4
_ENTRIES = re.compile(r"(.*_)?(n?nnz|n?nz|(n|num)?_?(edges|entries|nonzeros|elements|values|items)|total)")


def row_starts(reading: Reading) -> frozenset[str]:
    """Arrays that bound a loop by two neighbours: `for (k = start[i]; k < start[i + 1]; k++)`."""
    known = reading.symbols.known
    found = set()
    for symbol in known.values():
        low, high = _element(symbol.low, known), _element(symbol.high + ONE if symbol.high else None, known)
        if low is None or high is None or low.data_index is None or high.data_index is None:
            continue
        if low.data_array == high.data_array and high.data_index - low.data_index == ONE and low.data_array:
            found.add(low.data_array)
    return frozenset(found)


def entries(rows: Polynomial, integers: frozenset[str]) -> tuple[Polynomial, bool]:
    """How many entries all rows have together, and whether that is a guess: a parameter whose name says so, else four a row."""
    named = sorted(name for name in integers if _ENTRIES.fullmatch(name.lower()))
    if len(named) == 1:
        return Polynomial.name(named[0]), False
    return rows * Polynomial.constant(ENTRIES_A_ROW), True


def stored_highest(reading: Reading) -> dict[str, Polynomial | None]:
    """The largest value of each array that the code both writes and takes subscripts from; None where it is not known."""
    known = reading.symbols.known
    behind = {name for access in reading.accesses for name in symbols_behind(access.index, reading)}
    read = {
        symbol.data_array
        for name in behind
        if (symbol := known.get(name)) is not None and symbol.data_array is not None
    }
    written = {access.array for access in reading.accesses if access.mode is not Mode.READ}
    return {array: _highest(array, reading, frozenset()) for array in sorted(read & written)}


def _highest(array: str, reading: Reading, seen: frozenset[str]) -> Polynomial | None:
    reader = IndexValues(reading.symbols, vector_length=vector_length, pointer_place=pointer_place)
    highest: Polynomial | None = None
    for access in reading.accesses:
        if access.array != array or access.mode is Mode.READ:
            continue
        stored = _stored(access)
        try:
            value = reader.value(stored, access.at) if stored is not None else None
            source = _element(value, reading.symbols.known)
            if source is not None and source.data_array in (*seen, array):
                continue  # a value that is already counted
            most = _highest(source.data_array, reading, seen | {array}) if source and source.data_array else None
            most = most if source is not None else reading.symbols.upper(value) if value is not None else None
        except Unbounded:
            return None
        if most is None:
            return None
        highest = most if highest is None else reading.symbols.largest(highest, most)
    return highest


def _stored(access: Access) -> "Node | None":
    """What a plain `a[i] = value` stores."""
    outer = access.node.parent
    if access.mode is not Mode.WRITE or outer is None or outer.type != "assignment_expression":
        return None
    right = outer.child_by_field_name("right")
    while right is not None and right.type == "assignment_expression" and text_of(right.children[1]) == "=":
        right = right.child_by_field_name("right")
    return right


def _element(value: Polynomial | None, known: Mapping[str, Symbol]) -> Symbol | None:
    """The element of an index array that a value is."""
    if value is None or len(value.terms) != 1:
        return None
    (monomial, factor) = next(iter(value.terms.items()))
    symbol = known.get(monomial[0]) if len(monomial) == 1 and factor == 1 else None
    return symbol if symbol is not None and symbol.data_array is not None else None


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


def local_lengths(reading: Reading, sizes: frozenset[str]) -> list[tuple[str, Polynomial]]:
    """(size, what it must be at least) for each local vector as long as one of the sizes, that subscripts of others go into."""
    reader = IndexValues(reading.symbols, vector_length=vector_length, pointer_place=pointer_place)
    found: dict[tuple[str, Polynomial], None] = {}
    for at in {(one.at.prefix, one.at.function.node.id): one.at for one in reading.accesses}.values():
        for node in walk(at.function.body):
            listed = node.child_by_field_name("indices") if node.type == "subscript_expression" else None
            base = node.child_by_field_name("argument")
            if listed is None or base is None or base.type != "identifier" or text_of(base) in at.arrays:
                continue
            try:
                length = vector_length(text_of(base), at, reader)
                used = reading.symbols.upper(reader.value(listed.named_children[0], at)) + ONE
            except Unbounded:
                continue
            if length is None or str(length) not in sizes or str(length) in used.names or reading.symbols.of(used):
                continue
            found[str(length), used] = None
    return list(found)


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
