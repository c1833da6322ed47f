"""Flat subscripts such as `a[i * n + j]` back to one index a dimension, as far as isl proves that it is the same."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from regrapht.propose.transform.isl_library import isl
from regrapht.propose.transform.polyhedral.affine import Affine
from regrapht.propose.transform.polyhedral.loop_tree import Access
from regrapht.propose.transform.polyhedral.polynomial import Monomial, Polynomial, add, constant, quotient


@dataclass(frozen=True, slots=True)
class Strides:
    """Strides of a flat array, innermost first: products of parameters, with their integer factors."""

    chain: tuple[Monomial, ...]
    factors: dict[Monomial, int]

    @property
    def inner_sizes(self) -> list[Polynomial] | None:
        """Extents of all dimensions but the outermost, outermost first; None when the strides do not divide each other."""
        sizes: list[Polynomial] = []
        for low, high in zip(self.chain, self.chain[1:], strict=False):
            rest = quotient(high, low)
            if rest is None or self.factors[high] % self.factors[low]:
                return None
            sizes.insert(0, {rest: self.factors[high] // self.factors[low]})
        return sizes

    def split(self, polynomial: Polynomial, affine: Affine) -> list[Polynomial] | None:
        """The index in each dimension, outermost first; None when a term belongs to none."""
        index: list[Polynomial] = [{} for _ in self.chain]
        for atoms, value in polynomial.items():
            moving = tuple(atom for atom in atoms if affine.has_iterator(atom))
            fixed = tuple(atom for atom in atoms if not affine.has_iterator(atom))
            for position in range(len(self.chain) - 1, -1, -1):
                stride = self.chain[position]
                rest = quotient(fixed, stride)
                if rest is None or value % self.factors[stride]:
                    continue
                if rest and moving:
                    return None
                term = {tuple(sorted(rest + moving)): value // self.factors[stride]}
                index[position] = add(index[position], term)
                break
        return index[::-1]


def find_strides(accesses: list[Access]) -> Strides:
    """The strides that loop variables are multiplied with in the flat subscripts of one array."""
    factors: dict[Monomial, int] = {}
    for access in accesses:
        affine = access.leaf.affine
        assert affine is not None
        for atoms, value in (access.subscripts[0] or {}).items():
            if any(affine.has_iterator(atom) for atom in atoms):
                stride = tuple(atom for atom in atoms if not affine.has_iterator(atom))
                factors[stride] = math.gcd(factors.get(stride, 0), value)
    factors[()] = 1
    return Strides(tuple(sorted(factors, key=lambda stride: (len(stride), stride))), factors)


def recover_shape(array: str, accesses: list[Access], parameters: str, assumptions: list[str]) -> list[Polynomial]:
    """Set index and map of every access to one flat array; return the extents of its inner dimensions (empty: one dimension).

    Several dimensions are recovered only where isl proves that each inner index stays within its extent; `assumptions` are what the task
    requires of its sizes.
    """
    strides = find_strides(accesses)
    sizes = strides.inner_sizes
    if sizes:
        for access in accesses:
            affine, flat = access.leaf.affine, access.subscripts[0]
            assert affine is not None
            access.index = None if flat is None else strides.split(flat, affine)
        if _all_inside(array, accesses, sizes, parameters, assumptions):
            return sizes
    for access in accesses:
        access.index = None if access.subscripts[0] is None else [access.subscripts[0]]
        set_map(access, 1)
    return []


def _all_inside(
    array: str, accesses: list[Access], sizes: list[Polynomial], parameters: str, assumptions: list[str]
) -> bool:
    affine = accesses[0].leaf.affine
    assert affine is not None
    dims = [f"x{k}" for k in range(len(sizes) + 1)]
    bounds = [f"0 <= {dim} < {affine.text(size)}" for dim, size in zip(dims[1:], sizes, strict=True)]
    for access in accesses:
        set_map(access, len(dims))
    names = with_products(parameters, accesses)
    inside = isl().Set(f"[{names}] -> {{ {array}[{', '.join(dims)}] : {' and '.join(bounds)} }}")
    required = isl().Set(f"[{names}] -> {{ : {' and '.join(assumptions) or 'true'} }}")

    def fits(access: Access) -> bool:
        return bool(access.map.range().intersect_params(required).is_subset(inside))

    affine_accesses = [access for access in accesses if access.index is not None]
    return all(fits(access) or _carried(access, sizes[-1], fits) for access in affine_accesses)


def _carried(access: Access, size: Polynomial, fits: Callable[[Access], bool]) -> bool:
    """Whether an access fits with one row more and a row's length less, or the other way: `i * n + n - 1` is column n - 1 of row i."""
    before = access.index
    assert before is not None
    for rows in (-1, 1):
        index = [*before[:-2], add(before[-2], constant(rows)), add(before[-1], size, -rows)]
        access.index = index
        set_map(access, len(index))
        if access.index is not None and fits(access):
            return True
    access.index = before
    set_map(access, len(before))
    return False


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
        anywhere = ", ".join(f"x{k}" for k in range(rank))
        text = f"[{leaf.parameters}] -> {{ {domain} -> {access.array}[{anywhere}] }}"
    else:
        names = with_products(leaf.parameters, [access])
        condition = " and ".join(access.conditions) or "true"
        text = f"[{names}] -> {{ {domain} -> {access.array}[{', '.join(map(str, texts))}] : {condition} }}"
    access.map = isl().Map(text).intersect_domain(leaf.domain)
