"""Several neighbouring points a thread, with one wide access an array where alignment and length allow, and one by one elsewhere."""

from dataclasses import dataclass, replace
from typing import Any

from regrapht.propose.transform.codegen.geometry import operand
from regrapht.propose.transform.codegen.nest_writer import NestWriter
from regrapht.propose.transform.codegen.printer import Printer
from regrapht.propose.transform.codegen.writer import WORD
from regrapht.propose.transform.frontend.expressions import Element
from regrapht.propose.transform.frontend.scalar_types import signed_index_type, size_bytes
from regrapht.propose.transform.isl_library import isl
from regrapht.propose.transform.nest import Nest
from regrapht.propose.transform.polyhedral.loop_tree import READ, WRITE, Access, Leaf
from regrapht.propose.transform.polyhedral.polynomial import Polynomial, add, constant, multiply
from regrapht.propose.transform.polyhedral.scop import Scop

WIDEST = 16
"""Bytes of the widest access."""
_VECTORS = {
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """One array that is accessed several elements at a time."""

    array: str
    type: str
    vector: str
    flat: Polynomial
    """Its place in the array as a flat subscript."""
    divisible: tuple[tuple[str, ...], ...]
    """Sizes: one of each group must be a multiple of the vector's length, or rows do not start on a boundary."""
    loaded: bool
    stored: bool


def wide_arrays(nest: Nest, scop: Scop, loops: tuple[str, ...], width: int) -> list[Wide]:
    """The arrays that a nest may access `width` elements along `loops[0]` at a time."""
    accesses: dict[str, list[Access]] = {}
    for access in nest.accesses:
        if access.array in scop.arrays - scop.function.fields.keys() and access.array not in nest.targets:
            accesses.setdefault(access.array, []).append(access)
    found = (_wide(scop, own, loops, width) for own in accesses.values())
    return [wide for wide in found if wide is not None]


def _wide(scop: Scop, accesses: list[Access], loops: tuple[str, ...], width: int) -> Wide | None:
    """The array of these accesses, where all of them are at one place that moves by one element along the first loop."""
    first, type_name = accesses[0], scop.element_type(accesses[0].array)
    if type_name not in _VECTORS or size_bytes(type_name) * width > WIDEST:
        return None
    flat = _flat(scop, first)
    if flat is None or any(_flat(scop, access) != flat or access.leaf.own & _names(access) for access in accesses):
        return None
    along = loops[0]
    moving = [atoms for atoms in flat if along in atoms]
    known = scop.symbols.parameters | set(first.leaf.iterators)
    if moving != [(along,)] or flat[(along,)] != 1 or any(atom not in known for atoms in flat for atom in atoms):
        return None
    if any(atom in access.leaf.dims and atom not in loops for access in accesses for atoms in flat for atom in atoms):
        return None
    divisible: list[tuple[str, ...]] = []
    for atoms, coefficient in flat.items():
        if atoms == (along,) or coefficient % width == 0:
            continue
        sizes = tuple(atom for atom in atoms if atom in scop.symbols.parameters)
        if not sizes:
            return None
        divisible.append(sizes)
    reads = [access for access in accesses if access.kind != WRITE]
    writes = [access for access in accesses if access.kind != READ]
    loaded = bool(reads) and not (first.kind == WRITE and is_sure(first, loops))
    if not any(is_sure(access, loops) for access in (reads if loaded else writes)):
        return None
    vector = f"{_VECTORS[type_name]}{width}"
    return Wide(
        array=first.array,
        type=type_name,
        vector=vector,
        flat=flat,
        divisible=tuple(dict.fromkeys(divisible)),
        loaded=loaded,
        stored=bool(writes),
    )


def is_sure(access: Access, loops: tuple[str, ...]) -> bool:
    """Whether every point makes this access, once and whatever the data."""
    return access.certain and not access.conditions and set(access.leaf.dims) == set(loops)


def _flat(scop: Scop, access: Access) -> Polynomial | None:
    """The subscript of an access in the flat array; None where it is no polynomial."""
    if not isinstance(access.expression, Element) or access.index is None or None in access.subscripts:
        return None
    lengths = scop.inner_lengths.get(access.array) or ()
    flat: Polynomial = {}
    for subscript, length in zip(access.subscripts, (1, *lengths), strict=False):
        assert subscript is not None
        flat = add(multiply(flat, constant(length)), subscript)
    return flat


def _names(access: Access) -> set[str]:
    return {atom for polynomial in access.subscripts if polynomial for atoms in polynomial for atom in atoms}


class VectorBody:
    """The code of one group of neighbouring points, whose first is a variable of its own."""

    def __init__(self, nest: NestWriter, known: Any) -> None:
        self.nest, self.geometry, self.width = nest, nest.geometry, nest.schedule.vector
        self.along, fresh = nest.schedule.loops[0], nest.writer.fresh
        self.first, self.lane, self.wide = fresh(f"{self.along}_first"), fresh("lane"), fresh("whole_groups")
        self.known = known
        """What is known of a point in the group."""
        self.arrays = wide_arrays(nest.nest, nest.writer.scop, nest.schedule.loops, self.width)
        self.lanes = {wide.array: fresh(f"{wide.array}_lanes") for wide in self.arrays}

    def head(self) -> list[str]:
        """A constant that says whether arrays and rows start on boundaries; before the loop over groups, where there is one."""
        conditions = [f"(size_t){wide.array} % {self.width * size_bytes(wide.type)} == 0" for wide in self.arrays]
        groups = dict.fromkeys(sizes for wide in self.arrays for sizes in wide.divisible)
        for sizes in groups:
            either = [f"{size} % {self.width} == 0" for size in sizes]
            conditions.append(f"({' || '.join(either)})" if len(either) > 1 else either[0])
        return [f"const bool {self.wide} = {' && '.join(conditions)};"]

    def lines(self, printer: Printer) -> list[str]:
        """The code of one group."""
        whole = self._whole()
        guard = self.geometry.guard(whole, self._moved(self.known, 0))
        body = self.nest.body(self.nest.schedule.loops)
        fragments, fixed = self.nest.fragments(body), self.nest.schedule.loops
        inside = self.known
        for leaf in self._sure_leaves():
            inside = inside.intersect(self._domain(leaf))
        fast = fragments.code(body, fixed, inside, replace(printer, access=self._access))
        slow = fragments.code(body, fixed, self.known, printer)
        locals_ = self.nest.local_declarations()
        used = {word for line in fast for word in WORD.findall(line)}
        own_point = [self._own_point()] if self.along in used else []
        condition = f"{self.wide} && {operand(guard) if guard and '||' in guard else guard}" if guard else self.wide
        stores = [self._store(wide) for wide in self.arrays if wide.stored]
        return [
            f"// {self.width} neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.",
            f"if ({condition}) {{",
            *[line for wide in self.arrays for line in self._load(wide)],
            self._lane_loop(),
            *own_point, *locals_, *fast, "}",
            *stores,
            "} else {",
            self._lane_loop(),
            self._own_point(), *locals_, *slow, "}",
            "}",
        ]  # fmt: skip

    def _lane_loop(self) -> str:
        return f"#pragma unroll\nfor (int {self.lane} = 0; {self.lane} < {self.width}; ++{self.lane}) {{"

    def _own_point(self) -> str:
        type_name = signed_index_type(self.nest.nest.loop(self.along).type)
        return f"const {type_name} {self.along} = {self.first} + {self.lane};"

    # ---- wide accesses

    def _address(self, wide: Wide, const: str) -> str:
        place = _text(wide.flat, {self.along: self.first})
        return f"reinterpret_cast<{const}{wide.vector}*>(&{wide.array}[{place}])"

    def _load(self, wide: Wide) -> list[str]:
        lanes, size = self.lanes[wide.array], self.width * size_bytes(wide.type)
        lines = [f"alignas({size}) {wide.type} {lanes}[{self.width}];"]
        if wide.loaded:
            address = self._address(wide, "const ")
            value = f"__ldcs({address})" if self._streamed(wide) else f"*{address}"
            lines.append(f"*reinterpret_cast<{wide.vector}*>({lanes}) = {value};")
        return lines

    def _store(self, wide: Wide) -> str:
        value = f"*reinterpret_cast<const {wide.vector}*>({self.lanes[wide.array]})"
        address = self._address(wide, "")
        return f"__stcs({address}, {value});" if self._streamed(wide) else f"*{address} = {value};"

    def _streamed(self, wide: Wide) -> bool:
        return wide.array in self.nest.printer().streamed

    def _access(self, element: Element, printer: Printer) -> str | None:
        lanes = self.lanes.get(element.array)
        return None if lanes is None else f"{lanes}[{self.lane}]"

    # ---- which groups are whole

    def _sure_leaves(self) -> list[Leaf]:
        loops = self.nest.schedule.loops
        found = [a.leaf for a in self.nest.nest.accesses if a.array in self.lanes and is_sure(a, loops)]
        return list({leaf.name: leaf for leaf in found}.values())

    def _domain(self, leaf: Leaf) -> Any:
        return leaf.domain.intersect(self.geometry.box(leaf, {}, self.nest.schedule.loops)).params()

    def _whole(self) -> Any:
        """The groups all of whose points make every wide access, as a condition on the first point."""
        whole: Any = None
        for leaf in self._sure_leaves():
            domain = self._domain(leaf)
            for lane in range(self.width):
                one = self._moved(domain, lane)
                whole = one if whole is None else whole.intersect(one)
        return whole.coalesce()

    def _moved(self, points: Any, lane: int) -> Any:
        """A condition on the point number `lane` of a group, as one on its first."""
        names = self.geometry.parameters([self.along, self.first])
        equal = isl().Set(f"[{names}] -> {{ : {self.along} = {self.first} + {lane} }}")
        both = points.intersect(equal)
        parameter = isl().dim_type.param
        return both.project_out(parameter, both.find_dim_by_name(parameter, self.along), 1)


def _text(flat: Polynomial, moved: dict[str, str]) -> str:
    """A flat subscript as C."""
    out = ""
    for atoms, value in sorted(flat.items(), key=lambda item: (item[1] < 0, item[0] == (), -len(item[0]), item[0])):
        factors = [moved.get(atom, atom) for atom in atoms]
        if abs(value) != 1 or not factors:
            factors.insert(0, str(abs(value)))
        out += (" - " if value < 0 else " + ") + " * ".join(factors)
    return out[3:] if out.startswith(" + ") else "-" + out[3:]
