"""Shared tiles: what a block reads of an array, as a box of constant size, loaded once by all of its threads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import Terms, add
from regrapht.transform.codegen.extent import extent_of
from regrapht.transform.codegen.geometry import AT, Geometry, Ranges, operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.printer import Printer, element_text
from regrapht.transform.ir.expressions import Element
from regrapht.transform.plan.schedule import Reference
from regrapht.transform.polyhedral.affine import c_text
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Leaf

ALIGNMENT = 16
"""Bytes that a tile starts on a multiple of, so that the compiler may read neighbouring elements at once."""
MOST_IN_FLIGHT = 16
"""Loads of a tile that a thread has under way at most."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """A box: first element in each dimension, its constant size, and all elements of the array that may be read."""

    offsets: tuple[Terms, ...]
    sizes: tuple[int, ...]
    whole: Any

    @property
    def count(self) -> int:
        total = 1
        for size in self.sizes:
            total *= size
        return total


def footprint(geometry: Geometry, group: Sequence[Leaf], reference: Reference, ranges: Ranges) -> Footprint | str:
    """What the leaves of `group` read of an array within `ranges`; a text where it is no box of constant size."""
    array = reference.array
    part: Any = None
    whole: Any = None
    extent = extent_of(geometry, array)
    for leaf in group:
        for access in leaf.accesses:
            if access.array != array or not reference.covers(access.expression):
                continue
            if access.index is None or not (access.certain or extent is not None):
                return f"a subscript of '{array}' is not affine, or its read is not certain"
            inside = access.map.intersect_domain(geometry.box(leaf, ranges)).range()
            part = inside if part is None else part.union(inside)
            everything = access.map.range()
            whole = everything if whole is None else whole.union(everything)
    if part is None:
        return f"'{array}' is not read here"
    offsets, sizes = [], []
    for dimension in range(part.dim(isl().dim_type.set)):
        found = _narrowest(part, dimension)
        if found is None:
            return f"the part of '{array}' that a block reads has no constant size in dimension {dimension}"
        offsets.append(found[0])
        sizes.append(found[1])
    return Footprint(tuple(offsets), tuple(sizes), (extent if extent is not None else whole).coalesce())


def _narrowest(part: Any, dimension: int) -> tuple[Terms, int] | None:
    """The lower bound that leaves the fewest values in one dimension, with their number."""
    sets, parameters = isl().dim_type.set, isl().dim_type.param
    count, best = part.dim(sets), None
    one = part.project_out(sets, dimension + 1, count - dimension - 1).project_out(sets, 0, dimension).reset_tuple_id()
    for constraint in one.simple_hull().remove_divs().get_constraints():
        if not constraint.is_lower_bound(sets, 0) or constraint.get_coefficient_val(sets, 0).to_python() != 1:
            continue
        distance = constraint.get_aff()  # x - low
        width = one.max_val(distance)
        if distance.dim(isl().dim_type.div) or width.is_infty() or width.is_nan():
            continue
        low: Terms = {}
        for position in range(distance.dim(parameters)):
            coefficient = -distance.get_coefficient_val(parameters, position).to_python()
            if coefficient:
                low[(distance.get_dim_name(parameters, position),)] = int(coefficient)
        constant = -distance.get_constant_val().to_python()
        if constant:
            low[()] = int(constant)
        size = int(width.to_python()) + 1
        if best is None or size < best[1]:
            best = (low, size)
    return best


class Tiles:
    """The shared tiles of one kernel: declarations, loads, and where reads then go."""

    def __init__(self, nest: NestWriter) -> None:
        self.nest, self.geometry = nest, nest.geometry
        self.declarations: list[str] = []
        self._promoted: list[tuple[Reference, str, Footprint]] = []

    def covers(self, element: Element) -> bool:
        return self._find(element) is not None

    def _find(self, element: Element) -> tuple[Reference, str, Footprint] | None:
        return next((p for p in self._promoted if p[0].array == element.array and p[0].covers(element)), None)

    def access(self, element: Element, printer: Printer) -> str | None:
        """The text of a read that a tile serves; None for others."""
        found = self._find(element)
        if found is None or printer.leaf is None:
            return None
        index = next(a.index for a in printer.leaf.accesses if a.expression == element)
        affine = printer.leaf.affine
        assert index is not None and affine is not None
        inside = [affine.text(add(part, low, -1)) for part, low in zip(index, found[2].offsets, strict=True)]
        return found[1] + "".join(f"[{c_text(str(text), self.geometry.names, printer.arguments)}]" for text in inside)

    def forget(self) -> None:
        """From here on reads go to the arrays again."""
        self._promoted.clear()

    def load(self, group: Sequence[Leaf], reference: Reference, ranges: Ranges, context: Any) -> list[str]:
        """Declare the tile of a reference and return the lines that fill it; what is outside the array becomes 0.

        Raises:
            CannotTransform: The reference has no box of constant size.
        """
        found = footprint(self.geometry, group, reference, ranges)
        if isinstance(found, str):
            raise CannotTransform(found, line=self.nest.nest.line)
        writer, array = self.nest.writer, reference.array
        type_name = writer.scop.element_type(array)
        number = sum(1 for other, _, _ in self._promoted if other.array == array)
        tile, cell = writer.fresh(f"{array}_tile{number + 1 if number else ''}"), writer.fresh("cell")
        padded = list(found.sizes)
        if len(padded) > 1:
            padded[-1] += self.nest.schedule.padding
        self.declarations.append(
            f"__shared__ __align__({ALIGNMENT}) {type_name} {tile}{''.join(f'[{size}]' for size in padded)};"
        )
        places = _places(cell, found.sizes)
        index = "long long" if writer.wide else "int"
        names = [writer.fresh(f"{array}_{cell}_{dimension}") for dimension in range(len(places))]
        lines: list[str] = []
        for name, place, low in zip(names, places, found.offsets, strict=True):
            start = self._text(low)
            lines.append(f"const {index} {name} = {place if start == '0' else f'{start} + {place}'};")
        guard = self._guard(found, names, context)
        source, target = self._source(array, names), tile + "".join(f"[{place}]" for place in places)
        lines.append(f"{target} = {f'{operand(guard)} ? {source} : 0' if guard else source};")
        self._promoted.append((reference, tile, found))
        return self._each_cell(cell, found.count, lines)

    def _each_cell(self, cell: str, count: int, lines: list[str]) -> list[str]:
        """The code of one cell for all cells: a constant number a thread, whose loads can all be in flight at once."""
        threads, thread = self.nest.schedule.threads, self._thread()
        many = -(-count // threads)
        inner = lines if count % threads == 0 else [f"if ({cell} < {count}) {{", *lines, "}"]
        if many == 1:
            return ["{", f"const int {cell} = {thread};", *inner, "}"]
        part = self.nest.writer.fresh(f"{cell}_part")
        return [
            "#pragma unroll" if many <= MOST_IN_FLIGHT else f"#pragma unroll {MOST_IN_FLIGHT}",
            f"for (int {part} = 0; {part} < {many}; ++{part}) {{",
            f"const int {cell} = {part} * {threads} + {thread};",
            *inner,
            "}",
        ]

    def _thread(self) -> str:
        block = self.nest.schedule.block
        if len(block) == 1:
            return "threadIdx.x"
        if len(block) == 2:
            return f"threadIdx.y * {block[0]} + threadIdx.x"
        return f"(threadIdx.z * {block[1]} + threadIdx.y) * {block[0]} + threadIdx.x"

    def _text(self, polynomial: Terms) -> str:
        affine = self.nest.nest.group[0].affine
        assert affine is not None
        return c_text(str(affine.text(polynomial)), self.geometry.names)

    def _guard(self, found: Footprint, names: list[str], context: Any) -> str | None:
        """The condition for an element of the tile to exist, given that each index is at least the tile's first."""
        affine = self.nest.nest.group[0].affine
        assert affine is not None
        dims = ", ".join(name + AT for name in names)
        equal = " and ".join(f"{name}{AT} = {name}" for name in names)
        array = found.whole.get_tuple_name()
        fixed = isl().Set(f"[{', '.join(names)}] -> {{ {array}[{dims}] : {equal} }}")
        known = context.intersect(self.geometry.nonempty)
        for name, low in zip(names, found.offsets, strict=True):
            parameters = self.geometry.parameters([name, *(atom for atoms in low for atom in atoms)])
            known = known.intersect(isl().Set(f"[{parameters}] -> {{ : {name} >= {affine.text(low)} }}"))
        return self.geometry.guard(found.whole.intersect(fixed).params(), known)

    def _source(self, array: str, names: list[str]) -> str:
        wide = "(long long)" if self.nest.writer.wide else ""
        flat = names[0]
        for size, name in zip(self.nest.nest.shapes.get(array) or [], names[1:], strict=True):
            flat = f"{wide}{flat if flat == names[0] else f'({flat})'} * {operand(self._text(size))} + {name}"
        return element_text(self.geometry.scop, array, flat)


def _places(cell: str, sizes: tuple[int, ...]) -> list[str]:
    """The index in each dimension of a tile of the cell with a number."""
    places = []
    for dimension in range(len(sizes)):
        below = 1
        for size in sizes[dimension + 1 :]:
            below *= size
        text = cell if below == 1 else f"{cell} / {below}"
        places.append(f"{text} % {sizes[dimension]}" if dimension else text)
    return places
