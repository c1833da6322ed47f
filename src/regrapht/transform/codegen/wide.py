"""Arrays that neighbouring points touch as one stretch of memory, which wide accesses can load and store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from regrapht.source.polynomial import Monomial, Terms, add, constant, multiply
from regrapht.transform.codegen.extent import extent_of
from regrapht.transform.codegen.geometry import Geometry, constant_value
from regrapht.transform.ir.expressions import Element, Expression
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.polyhedral.loop_tree import READ, WRITE, Access, Leaf
from regrapht.transform.polyhedral.scop import Scop

WIDEST = 16
"""Bytes of the widest access."""
LONGEST = 64
"""Bytes of one array that a thread holds for its points at most."""

VECTORS = {
    "char": "char",
    "signed char": "char",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
    "int": "int",
    "unsigned int": "uint",
    "long long": "longlong",
    "unsigned long long": "ulonglong",
    "float": "float",
    "double": "double",
}
"""What the vectors of a type are called without their length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """One stretch of an array: `stride` elements for each of the neighbouring points, all of which their threads touch."""

    array: str
    type: str
    stride: int
    chunk: int
    """Bytes of one access; the stretch is one or several of them."""
    flat: Terms
    """Its first element as a flat subscript; moves by `stride` along the loop."""
    divisible: tuple[tuple[int, tuple[str, ...]], ...]
    """One of these sizes must be a multiple of that number, or rows do not start on a boundary."""
    offsets: Mapping[tuple[str, Expression], Terms]
    """Which element of its point's an access touches, by the leaf's name and the expression."""
    leaves: tuple[Leaf, ...]
    """Where it is certain that a point's elements are there."""
    loaded: bool
    stored: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one access is: in the elements of a point, of which it may be any in `reach`."""

    access: Access
    stride: int
    flat: Terms
    offset: Terms
    reach: frozenset[int]


def wide_arrays(geometry: Geometry, loops: tuple[str, ...], width: int) -> list[Wide]:
    """What a nest may access `width` points along `loops[0]` at a time."""
    nest, scop = geometry.nest, geometry.scop
    accesses: dict[str, list[Access]] = {}
    for access in nest.accesses:
        if access.array in scop.arrays - scop.function.fields.keys() and access.array not in nest.targets:
            accesses.setdefault(access.array, []).append(access)
    found: list[Wide] = []
    for own in accesses.values():
        places = [_place(geometry, access, loops) for access in own]
        groups: dict[tuple[int, tuple[tuple[Monomial, int], ...]], list[_Place]] = {}
        for place in places:
            if place is not None:
                groups.setdefault((place.stride, tuple(sorted(place.flat.items()))), []).append(place)
        written = any(access.kind != READ for access in own)
        if written and (None in places or len(groups) > 1):
            continue  # what one lane stores another might touch in another way
        made = (_wide(geometry, group, loops, width, written=written) for group in groups.values())
        found += [wide for wide in made if wide is not None]
    return found


def _place(geometry: Geometry, access: Access, loops: tuple[str, ...]) -> _Place | None:
    """The place of an access that moves by a constant number of elements along the first loop; None for others."""
    scop, along, leaf = geometry.scop, loops[0], access.leaf
    flat = _flat(scop, access)
    if flat is None or access.inside is not None:
        return None
    names = {atom for atoms in flat for atom in atoms}
    known = scop.symbols.parameters | set(leaf.iterators)
    if names & leaf.own or not names <= known or [atoms for atoms in flat if along in atoms] != [(along,)]:
        return None
    stride, inner = flat[(along,)], [dim for dim in leaf.dims if dim not in loops]
    if stride < 1 or (stride == 1 and names & set(inner)):
        return None
    offset: Terms = constant(flat.get((), 0) % stride)
    reach = {flat.get((), 0) % stride}
    for dim in inner:
        if dim not in names:
            continue
        values = _constant_values(geometry, access, dim)
        if values is None or [atoms for atoms in flat if dim in atoms] != [(dim,)]:
            return None
        offset = add(offset, {(dim,): flat[(dim,)]})
        reach = {one + flat[(dim,)] * value for one in reach for value in values}
    if not reach <= set(range(stride)):
        return None
    return _Place(access, stride, add(flat, offset, -1), offset, frozenset(reach))


def _constant_values(geometry: Geometry, access: Access, dim: str) -> range | None:
    """The values of a loop inside, where they are the same few for all points."""
    loop = next(one for one in access.leaf.loops if one.variable == dim)
    if any(
        set(text.replace("(", " ").replace(")", " ").split()) & set(access.leaf.dims) - {dim}
        for text in loop.constraints
    ):
        return None
    values = geometry.values(dim, [access.leaf])
    first, last = constant_value(values.dim_min(0)), constant_value(values.dim_max(0))
    if loop.step not in (1, -1) or first is None or last is None or last - first >= LONGEST:
        return None
    return range(first, last + 1)


def _wide(
    geometry: Geometry, places: Sequence[_Place], loops: tuple[str, ...], width: int, *, written: bool
) -> Wide | None:
    """The stretch of accesses that touch the same elements of their points, where wide accesses may load or store it."""
    first, stride = places[0], places[0].stride
    type_name = geometry.scop.element_type(first.access.array)
    element = size_bytes(type_name)
    length = width * stride * element
    chunk = min(length & -length, WIDEST)
    if type_name not in VECTORS or length > (LONGEST if stride > 1 else WIDEST) or chunk == element:
        return None
    divisible = _divisible(geometry.scop, first.flat, loops[0], chunk // element)
    if divisible is None:
        return None
    every = set(range(stride))
    reads, writes = ([p for p in places if (p.access.kind != other)] for other in (WRITE, READ))
    starts_new = stride == 1 and first.access.kind == WRITE and is_sure(first.access, loops, first)
    loaded = bool(reads) and not starts_new
    sure = [p for p in (places if loaded else writes) if is_sure(p.access, loops, p)]
    if loaded and not written:
        sure += [p for p in places if _is_readable(geometry, p.access, loops, p)]
    if {one for place in sure for one in place.reach} != every:
        return None
    return Wide(
        array=first.access.array,
        type=type_name,
        stride=stride,
        chunk=chunk,
        flat=first.flat,
        divisible=divisible,
        offsets={(p.access.leaf.name, p.access.expression): p.offset for p in places},
        leaves=tuple({place.access.leaf.name: place.access.leaf for place in sure}.values()),
        loaded=loaded,
        stored=bool(writes),
    )


def _divisible(scop: Scop, flat: Terms, along: str, elements: int) -> tuple[tuple[int, tuple[str, ...]], ...] | None:
    """What must be a multiple of what for `flat` to be one of `elements` at the first point of a group; None where it cannot be."""
    found: list[tuple[int, tuple[str, ...]]] = []
    for atoms, coefficient in flat.items():
        rest = elements // gcd(coefficient, elements)
        if atoms == (along,) or rest == 1:
            continue
        sizes = tuple(atom for atom in atoms if atom in scop.symbols.parameters)
        if not sizes:
            return None
        found.append((rest, sizes))
    return tuple(dict.fromkeys(found))


def is_sure(access: Access, loops: tuple[str, ...], place: "_Place | None" = None) -> bool:
    """Whether every point makes this access, once for each element that it may be at, and whatever the data."""
    inner = {atom for atoms in place.offset for atom in atoms} if place is not None else set()
    return access.certain and not access.conditions and set(access.leaf.dims) == set(loops) | inner


def _is_readable(geometry: Geometry, access: Access, loops: tuple[str, ...], place: _Place) -> bool:
    """Whether the element is there for every point of the nest's leaf, though data may decide against reading it."""
    inner = {atom for atoms in place.offset for atom in atoms}
    extent = extent_of(geometry, access.array)
    if extent is None or access.conditions or set(access.leaf.dims) != set(loops) | inner:
        return False
    return bool(access.map.intersect_domain(access.leaf.domain).range().is_subset(extent))


def _flat(scop: Scop, access: Access) -> Terms | None:
    """The subscript of an access in the flat array; None where it is no polynomial."""
    if not isinstance(access.expression, Element) or access.index is None or None in access.subscripts:
        return None
    lengths = scop.inner_lengths.get(access.array) or ()
    flat: Terms = {}
    for subscript, length in zip(access.subscripts, (1, *lengths), strict=False):
        assert subscript is not None
        flat = add(multiply(flat, constant(length)), subscript)
    return flat
