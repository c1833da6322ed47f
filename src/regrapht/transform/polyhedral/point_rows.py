"""Arrays of which every point of a loop reads nothing but a row of its own: `a[s * n + j]` with s the point and j below n."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from regrapht.source.polynomial import Terms, add, constant, multiply, names_in, words, written_out
from regrapht.transform.ir.names import place_names
from regrapht.transform.polyhedral.affine import Affine
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Access
from regrapht.transform.polyhedral.scop import Scop

_NOT_C = ("min(", "max(")
"""Atoms whose texts CUDA may not take for integers of several types."""


@dataclass(frozen=True, slots=True)
class PointRows:
    """The rows of one array."""

    array: str
    length: Terms
    """Elements from one row to the next, in parameters."""
    sizes: tuple[Terms, ...]
    """The extents that the length is the product of."""
    columns: dict[int, Terms]
    """Where in its row an access is, by the access' identity."""

    def column(self, access: Access) -> Terms:
        return self.columns[id(access)]


def rows_of(array: str, accesses: Sequence[Access], sizes: Sequence[Terms], point: str, scop: Scop) -> PointRows | str:
    """The rows that the turns of the loop over `point` read of an array by `accesses`, or why there are none.

    `sizes` are the array's inner extents. isl proves of every access that it stays in the row of its point.
    """
    if not sizes:
        return "it has no rows"
    length = reduce(multiply, sizes, constant(1))
    columns: dict[int, Terms] = {}
    for access in accesses:
        column = _column(access, sizes, length, point, scop)
        if column is None or not _stays_in_row(access, sizes, point, scop):
            return f"it is not certain that all reads stay in the row of '{point}'"
        columns[id(access)] = column
    along = any(
        names_in(column) & _loops_inside(access, point) for access in accesses for column in [columns[id(access)]]
    )
    if not along and (set(length) - {()} or len({tuple(sorted(c.items())) for c in columns.values()}) < 2):
        return "no loop inside goes along its rows"
    return PointRows(array, length, tuple(sizes), columns)


def _loops_inside(access: Access, point: str) -> set[str]:
    own = () if access.inside is None else access.inside.variables
    return {*access.leaf.dims, *own} - {point}


def _column(access: Access, sizes: Sequence[Terms], length: Terms, point: str, scop: Scop) -> Terms | None:
    """An access' place less the first of its point's row; None where that is no text for C."""
    row: Terms = {(point,): 1}
    for index in (access.index, access.inside and access.inside.subscripts):
        if index and len(index) == len(sizes) + 1:
            return _as_text(_flat(index[1:], sizes[1:])) if index[0] == row else None
    flat = access.subscripts[0] if access.inside is None else access.inside.subscripts[0]
    for reading in () if flat is None else (flat, written_out(flat, scop.symbols.values)):
        column = add(reading, multiply(row, length), -1)
        if not any(len(atoms) > 1 and point in words(" ".join(atoms)) for atoms in column):
            return _as_text(column)
    return None


def _flat(index: Sequence[Terms], sizes: Sequence[Terms]) -> Terms:
    flat = index[0]
    for size, part in zip(sizes, index[1:], strict=True):
        flat = add(multiply(flat, size), part)
    return flat


def _as_text(column: Terms) -> Terms | None:
    return None if any(mark in atom for atoms in column for atom in atoms for mark in _NOT_C) else column


def _stays_in_row(access: Access, sizes: Sequence[Terms], point: str, scop: Scop) -> bool:
    leaf = access.leaf
    if point not in leaf.dims or leaf.affine is None:
        return False
    inside = _inside(leaf.affine, sizes, [f"{{0}} = {point}"])
    if inside is None:
        return False
    places, condition = inside
    names = _parameters(leaf.affine, leaf.parameters)
    text = f"[{names}] -> {{ {leaf.name}[{', '.join(leaf.dims)}] -> {access.array}[{places}] : {condition} }}"
    given = scop.parameter_set(" and ".join(scop.given_for(access.array)) or "true")
    return bool(access.map.intersect_params(given).is_subset(isl().Map(text)))


def _inside(affine: Affine, sizes: Sequence[Terms], first: Sequence[str]) -> tuple[str, str] | None:
    """The names of an array's dimensions, and the condition that all but the first are within their extents."""
    texts, places = [affine.text(size) for size in sizes], place_names(len(sizes) + 1)
    if None in texts:
        return None
    bounds = [f"0 <= {place} < {text}" for place, text in zip(places[1:], texts, strict=True)]
    return ", ".join(places), " and ".join([*(text.format(places[0]) for text in first), *bounds])


def _parameters(affine: Affine, parameters: str) -> str:
    return ", ".join(sorted({*(name for name in parameters.split(", ") if name), *affine.symbols.products}))


def can_be_copied(
    array: str,
    accesses: Sequence[Access],
    sizes: Sequence[Terms],
    points: Any,
    scop: Scop,
    extent: Any,
) -> bool:
    """Whether every element of the rows from the first of `points` to the last one is there: it is within the array's `extent`, where that
    is known, or the source surely reads it.
    """
    leaf = accesses[0].leaf
    assert leaf.affine is not None
    inside = _inside(leaf.affine, sizes, ["{0} PLACE point"])
    if inside is None:
        return False
    places, condition = inside
    names = _parameters(leaf.affine, leaf.parameters)

    def beside(sign: str) -> Any:
        text = f"[{names}] -> {{ [point] -> {array}[{places}] : {condition.replace('PLACE', sign)} }}"
        return points.reset_tuple_id().apply(isl().Map(text))

    given = scop.parameter_set(" and ".join(scop.given_for(array)) or "true")
    rows = beside(">=").intersect(beside("<=")).intersect_params(given)
    if extent is not None and rows.is_subset(extent):
        return True
    sure = [access.map.range() for access in accesses if access.certain and access.index is not None]
    return bool(sure) and bool(rows.is_subset(reduce(lambda one, other: one.union(other), sure)))
