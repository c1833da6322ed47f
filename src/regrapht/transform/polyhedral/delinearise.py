"""Flat subscripts such as `a[i * n + j]` back to one index a dimension, as far as isl proves that it is the same."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from regrapht.source.polynomial import (
    Monomial,
    Terms,
    add,
    constant,
    divided,
    highest,
    multiply,
    written_out,
)
from regrapht.transform.ir.names import place_names
from regrapht.transform.polyhedral.affine import Affine, Quotient
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, Access
from regrapht.transform.polyhedral.quotients import filled, lowered, room

Flat = Terms | None
"""The subscript of an access in the flat array; None where it is no polynomial."""


@dataclass(frozen=True, slots=True)
class Strides:
    """Strides of a flat array, innermost first: 1, then polynomials of parameters."""

    chain: tuple[Terms, ...]

    @property
    def inner_sizes(self) -> list[Terms] | None:
        """Extents of all dimensions but the outermost, outermost first; None when the strides do not divide each other."""
        sizes: list[Terms] = []
        for low, high in zip(self.chain, self.chain[1:], strict=False):
            size, rest = divided(high, low)
            if rest:
                return None
            sizes.insert(0, size)
        return sizes

    def split(self, flat: Terms, affine: Affine) -> list[Terms] | None:
        """The index in each dimension, outermost first; None when a term belongs to none."""
        index: list[Terms] = [{} for _ in self.chain]
        for moving, left in coefficients(flat, affine).items():
            for position in range(len(self.chain) - 1, -1, -1):
                share, left = divided(left, self.chain[position])
                if moving and set(share) - {()}:
                    return None
                index[position] = add(index[position], multiply({moving: 1}, share))
        return index[::-1]


def coefficients(flat: Terms, affine: Affine) -> dict[Monomial, Terms]:
    """What each product of loop variables is multiplied with; under the empty product, what does not move."""
    found: dict[Monomial, Terms] = {}
    for atoms, value in flat.items():
        moving = tuple(atom for atom in atoms if affine.has_iterator(atom))
        fixed = tuple(atom for atom in atoms if not affine.has_iterator(atom))
        found[moving] = add(found.get(moving, {}), {fixed: value})
    return found


def find_strides(accesses: Sequence[Access], flats: Sequence[Flat], *, sums: bool) -> Strides:
    """The strides that loop variables are multiplied with in the flat subscripts of one array.

    `sums`: of `i * (n + 2)` the stride is n + 2; otherwise those are two strides, n and 1, as `a[i * n + i]` needs it. Multiples of one
    stride count as one, by their greatest common divisor.
    """
    factors: dict[tuple[tuple[Monomial, int], ...], int] = {}
    for access, flat in zip(accesses, flats, strict=True):
        for moving, whole in coefficients(flat or {}, _reads(access)).items():
            parts = [whole] if sums else [{atoms: value} for atoms, value in whole.items()]
            for part in parts if moving else ():
                factor = math.gcd(*part.values()) * (1 if part[highest(part)] > 0 else -1)
                terms = sorted(((atoms, value // factor) for atoms, value in part.items()), key=_order, reverse=True)
                factors[tuple(terms)] = math.gcd(factors.get(tuple(terms), 0), factor)
    factors[(((), 1),)] = 1
    chain = sorted(factors, key=lambda terms: [_order(term) for term in terms])
    return Strides(tuple(multiply(dict(terms), constant(factors[terms])) for terms in chain))


def _order(term: tuple[Monomial, int]) -> tuple[int, Monomial, int]:
    atoms, value = term
    return len(atoms), atoms, value


def recover_shape(
    array: str,
    accesses: list[Access],
    parameters: str,
    assumptions: list[str],
    values: Mapping[str, Terms] | None = None,
) -> list[Terms]:
    """Set index and map of every access to one flat array; return the extents of its inner dimensions (empty: one dimension).

    Several dimensions are recovered only where isl proves that each inner index stays within its extent; `assumptions` are what the task
    requires of its sizes. `values` are parameters that stand for polynomials of others: `plane` for height * width.
    """
    for strides, shape in _shapes(array, accesses, parameters, assumptions, values or {}):
        if not shape.holds(accesses):
            continue
        for access in accesses:
            if access.inside is not None:
                shape.place(access, strides, values or {})
        return shape.sizes
    if _are_told_apart(array, accesses, parameters, assumptions, values or {}):
        return []
    for access in accesses:
        access.index = None if access.subscripts[0] is None else [access.subscripts[0]]
        set_map(access, 1)
        if access.inside is not None:
            set_moved_map(access, access.inside.subscripts)
    return []


def _are_told_apart(
    array: str, accesses: list[Access], parameters: str, assumptions: list[str], values: Mapping[str, Terms]
) -> bool:
    """Whether the elements that accesses touch have several indices once what their subscripts share is taken off: `a[lo + s * t]` is
    place 0 of row t, whatever lo is.

    Their maps then say which of them may be the same. Their indices stay unknown: these are not the array's own.
    """
    first = next((access for access in accesses if access.kind != READ), None)
    if first is None or any(a.subscripts[0] is None or a.inside is not None for a in accesses):
        return False
    if all(_reads(access).text(access.subscripts[0]) is not None for access in accesses):
        return False
    for _, flats in _readings(accesses, values):
        shared = coefficients(flats[accesses.index(first)] or {}, _reads(first)).get((), {})
        moved = [add(flat or {}, shared, -1) for flat in flats]
        for sums in (False, True):
            for strides, sizes in _with_room(find_strides(accesses, moved, sums=sums), _reads(first)):
                for access, flat in zip(accesses, moved, strict=True):
                    access.index = strides.split(flat, _reads(access))
                shape = _Shape.of(array, accesses, sizes, parameters, assumptions)
                if shape is not None and all(access.index for access in accesses) and shape.holds(accesses):
                    for access in accesses:
                        access.index = None
                    return True
    return False


def _with_room(strides: Strides, affine: Affine) -> Iterator[tuple[Strides, list[Terms]]]:
    """Strides with the room that there is for each index but the outermost one, outermost first.

    Where strides do not divide each other that is less than the array has: of rows of d elements, h parts of d / h each.
    """
    for one in _finer(strides):
        sizes = one.inner_sizes
        if sizes:
            yield one, sizes
    for quotient in affine.symbols.quotients:
        ordered = _in_order(strides, quotient, affine)
        rooms = [room(low, high, [quotient], affine) for low, high in pairwise(ordered.chain)]
        sizes = [size for size in reversed(rooms) if size is not None]
        if sizes and len(sizes) == len(rooms):
            yield ordered, sizes


def _in_order(strides: Strides, quotient: Quotient, affine: Affine) -> Strides:
    """The strides by how large they are where a dividend is a product: names do not tell that a quotient is less than it."""

    def order(stride: Terms) -> list[tuple[int, Monomial, int]]:
        least = lowered(stride, quotient, affine) or stride
        return sorted(map(_order, least.items()), reverse=True)

    return Strides(tuple(sorted(strides.chain, key=order)))


def _finer(strides: Strides) -> Iterator[Strides]:
    """The strides, and the same with one more between 1 and a product: rows of n, every s-th of which is meant by n * s."""
    yield strides
    products = [next(iter(stride)) for stride in strides.chain if len(stride) == 1]
    for atom in dict.fromkeys(atom for atoms in products if len(atoms) > 1 for atom in atoms):
        if {(atom,): 1} not in strides.chain:
            yield Strides((strides.chain[0], {(atom,): 1}, *strides.chain[1:]))


def shape_failures(
    array: str,
    accesses: list[Access],
    parameters: str,
    assumptions: list[str],
    values: Mapping[str, Terms],
) -> Iterator[tuple[int, Any]]:
    """For each way to take the subscripts apart, how many inner dimensions it gives, and isl's set of the parameters for which an index
    leaves its extent.

    As `recover_shape`, which proves that there are none. Changes the accesses.
    """
    for strides, shape in _shapes(array, accesses, parameters, assumptions, values):
        found = isl().Set("{ : false }")
        for access in accesses:
            moved = access.inside is not None and not shape.place(access, strides, values)
            if moved or not shape.holds([access]):
                found = found.union(shape.failing(access, strides))
        yield len(shape.sizes), found


def _shapes(
    array: str,
    accesses: list[Access],
    parameters: str,
    assumptions: list[str],
    values: Mapping[str, Terms],
) -> "Iterator[tuple[Strides, _Shape]]":
    """The shapes that an array may have, with index and map of every access set accordingly."""
    for strides, flats in _readings(accesses, values):
        sizes = strides.inner_sizes
        if not sizes:
            continue
        for access, flat in zip(accesses, flats, strict=True):
            moved = flat is None or access.inside is not None
            access.index = None if moved or flat is None else strides.split(flat, _reads(access))
        shape = _Shape.of(array, accesses, sizes, parameters, assumptions)
        if shape is not None:
            yield strides, shape


def _reads(access: Access) -> Affine:
    affine = access.leaf.affine if access.inside is None else access.inside.affine
    assert affine is not None
    return affine


def _readings(accesses: list[Access], values: Mapping[str, Terms]) -> Iterator[tuple[Strides, list[Flat]]]:
    """Strides and subscripts: as they are written; with names of products written out; with sums such as n + 2 as strides.

    The first that isl can prove is taken, so that what is written as `i * row + j` keeps its `row`.
    """
    written = [access.subscripts[0] for access in accesses]
    seen: list[Strides] = []
    # Those that loops of a leaf's own move have no say as long as the others show a shape.
    for chosen in (written, [a.inside.subscripts[0] if a.inside is not None else a.subscripts[0] for a in accesses]):
        out = [None if flat is None else written_out(flat, values) for flat in chosen]
        whole = _filled_out(chosen, values, accesses)
        for flats, sums in ((chosen, False), (out, False), (out, True), *(((whole, False),) if whole else ())):
            strides = find_strides(accesses, flats, sums=sums)
            if strides not in seen:
                seen.append(strides)
                yield strides, flats


def _filled_out(flats: Sequence[Flat], values: Mapping[str, Terms], accesses: Sequence[Access]) -> list[Flat]:
    """The subscripts with rows written out as the parts that fill them: d as h times d / h. Empty where nothing is known to."""
    rows = filled(_reads(accesses[0]).symbols.quotients)
    others = {name: value for name, value in values.items() if name not in rows}
    return [None if flat is None else written_out(written_out(flat, others), rows) for flat in flats] if rows else []


@dataclass(frozen=True, slots=True)
class _Shape:
    """The extents of an array's inner dimensions, and isl's set of the elements within them."""

    sizes: list[Terms]
    inside: Any
    required: Any
    """isl's set of the sizes that the task allows."""

    @classmethod
    def of(
        cls, array: str, accesses: list[Access], sizes: list[Terms], parameters: str, assumptions: list[str]
    ) -> "_Shape | None":
        """None where a size is no isl text."""
        affine = accesses[0].leaf.affine
        assert affine is not None
        dims = place_names(len(sizes) + 1)
        texts = [affine.text(size) for size in sizes]
        if None in texts:
            return None  # a quotient times a size
        bounds = [f"0 <= {dim} < {text}" for dim, text in zip(dims[1:], texts, strict=True)]
        for access in accesses:
            set_map(access, len(dims))
        names = with_products(parameters, accesses)
        inside = affine.symbols.isl_set(f"[{names}] -> {{ {array}[{', '.join(dims)}] : {' and '.join(bounds)} }}")
        return cls(sizes, inside, affine.symbols.isl_set(f"[{names}] -> {{ : {' and '.join(assumptions) or 'true'} }}"))

    def holds(self, accesses: list[Access]) -> bool:
        """Whether every access whose index is known stays within the extents."""
        known = [access for access in accesses if access.index is not None]
        return all(self.fits(access) or _carried(access, self.sizes[-1], self.fits) for access in known)

    def fits(self, access: Access) -> bool:
        return bool(access.map.range().intersect_params(self.required).is_subset(self.inside))

    def failing(self, access: Access, strides: Strides) -> Any:
        """The parameters for which an access leaves the extents; all where its place is unknown, or its index is written otherwise."""
        if access.inside is not None:
            index = strides.split(access.inside.subscripts[0], access.inside.affine)
            if index is None or not set_moved_map(access, index):
                return self.required
        return access.map.subtract_range(self.inside).domain().params().intersect(self.required)

    def place(self, access: Access, strides: Strides, values: Mapping[str, Terms]) -> bool:
        """Narrow where an access that loops of a leaf's own move may be, if it surely stays within the extents; whether it does."""
        assert access.inside is not None
        anywhere, (flat,) = access.map, access.inside.subscripts
        whole = [one for one in _filled_out([flat], values, [access]) if one is not None]
        for reading in (flat, written_out(flat, values), *whole):
            index = strides.split(reading, access.inside.affine)
            for one in [] if index is None else [index, *_carries(index, self.sizes[-1])]:
                if set_moved_map(access, one) and self.fits(access):
                    return True
        access.map = anywhere
        return False


def _carried(access: Access, size: Terms, fits: Callable[[Access], bool]) -> bool:
    """Whether an access fits with one row more and a row's length less, or the other way: `i * n + n - 1` is column n - 1 of row i."""
    before = access.index
    assert before is not None
    for index in _carries(before, size):
        access.index = index
        set_map(access, len(index))
        if access.index is not None and fits(access):
            return True
    access.index = before
    set_map(access, len(before))
    return False


def _carries(index: list[Terms], size: Terms) -> list[list[Terms]]:
    return [[*index[:-2], add(index[-2], constant(rows)), add(index[-1], size, -rows)] for rows in (-1, 1)]


def with_products(parameters: str, accesses: list[Access]) -> str:
    """The list of isl parameters, with the products that texts of these accesses may name."""
    affine = accesses[0].leaf.affine
    assert affine is not None
    names = {name for name in parameters.split(", ") if name}
    return ", ".join(sorted(names | set(affine.symbols.products)))


def set_map(access: Access, rank: int) -> None:
    """Set `access.map` from its index: iterations to elements. An index that is not affine means "anywhere" and becomes None."""
    leaf = access.leaf
    assert leaf.affine is not None and leaf.domain is not None
    texts = None if access.index is None else [leaf.affine.text(polynomial) for polynomial in access.index]
    domain = f"{leaf.name}[{', '.join(leaf.dims)}]"
    if texts is None or None in texts:
        access.index = None
        anywhere = ", ".join(place_names(rank))
        text = f"[{leaf.parameters}] -> {{ {domain} -> {access.array}[{anywhere}] }}"
    else:
        names = with_products(leaf.parameters, [access])
        condition = " and ".join(access.conditions) or "true"
        text = f"[{names}] -> {{ {domain} -> {access.array}[{', '.join(map(str, texts))}] : {condition} }}"
    access.map = leaf.affine.symbols.isl_map(text).intersect_domain(leaf.domain)


def set_moved_map(access: Access, index: Sequence[Terms]) -> bool:
    """Set the map of an access that loops of the leaf's own move: to all elements that their turns may reach. False where the index is not
    affine; the map is then left as it is."""
    leaf, inside = access.leaf, access.inside
    assert inside is not None and leaf.affine is not None
    texts = [inside.affine.text(polynomial) for polynomial in index]
    if None in texts:
        return False
    dims = place_names(len(texts))
    here = [f"{dim} = {text}" for dim, text in zip(dims, texts, strict=True)]
    held = " and ".join([*here, *inside.bounds, *access.conditions])
    moved = f"exists ({', '.join(inside.variables)} : {held})"
    names = with_products(leaf.parameters, [access])
    text = f"[{names}] -> {{ {leaf.name}[{', '.join(leaf.dims)}] -> {access.array}[{', '.join(dims)}] : {moved} }}"
    access.map = leaf.affine.symbols.isl_map(text).intersect_domain(leaf.domain)
    return True
