"""Several neighbouring points a thread, with wide accesses where alignment and length allow, and one by one elsewhere."""

from dataclasses import replace
from typing import Any

from regrapht.source.polynomial import Terms
from regrapht.transform.codegen.geometry import constant_value, operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.wide import VECTORS, Wide, wide_arrays
from regrapht.transform.codegen.writer import WORD
from regrapht.transform.ir.expressions import Element
from regrapht.transform.ir.scalar_types import signed_index_type, size_bytes
from regrapht.transform.polyhedral.affine import c_text
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Leaf

_CHUNKS = {2: "unsigned short", 4: "unsigned int", 8: "uint2", 16: "uint4"}
"""Types that move so many bytes at once, whatever they mean."""


class VectorBody:
    """The code of one group of neighbouring points, whose first is a variable of its own."""

    def __init__(self, nest: NestWriter, known: Any) -> None:
        self.nest, self.geometry, self.width = nest, nest.geometry, nest.schedule.vector
        self.along, fresh = nest.schedule.loops[0], nest.writer.fresh
        self.first, self.lane, self.wide = fresh(f"{self.along}_first"), fresh("lane"), fresh("whole_groups")
        self.known = known
        """What is known of a point in the group."""
        self.arrays = wide_arrays(nest.geometry, nest.schedule.loops, self.width)
        self.lanes: list[str] = []
        for wide in self.arrays:
            before = sum(1 for other in self.arrays[: len(self.lanes)] if other.array == wide.array)
            self.lanes.append(fresh(f"{wide.array}_lanes{before + 1 if before else ''}"))

    def head(self) -> list[str]:
        """A constant that says whether arrays and rows start on boundaries; before the loop over groups, where there is one."""
        boundaries = {wide.array: 0 for wide in self.arrays}
        for wide in self.arrays:
            boundaries[wide.array] = max(boundaries[wide.array], wide.chunk)
        conditions = [f"(size_t){array} % {chunk} == 0" for array, chunk in boundaries.items()]
        multiples: dict[tuple[str, ...], int] = {}
        for number, sizes in [one for wide in self.arrays for one in wide.divisible]:
            multiples[sizes] = max(multiples.get(sizes, 0), number)
        for sizes, number in multiples.items():
            either = [f"{size} % {number} == 0" for size in sizes]
            conditions.append(f"({' || '.join(either)})" if len(either) > 1 else either[0])
        return [f"const bool {self.wide} = {' && '.join(conditions)};"]

    def lines(self, printer: Printer) -> list[str]:
        """The code of one group, which may be whole or not."""
        guard = self.geometry.guard(self._whole(), self._moved(self.known, 0))
        condition = f"{self.wide} && {operand(guard) if guard and '||' in guard else guard}" if guard else self.wide
        return [
            f"// {self.width} neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.",
            f"if ({condition}) {{",
            *self.fast(printer),
            "} else {",
            *self.slow(printer),
            "}",
        ]

    def whole_groups(self, values: Any, start: int) -> str | None:
        """How many groups from the first on are whole, as C, 0 where arrays do not start on boundaries.

        None where groups may be whole or not for another reason than where the loop ends.
        """
        low, high = values.dim_min(0), values.dim_max(0)
        if constant_value(low) != start:
            return None
        names = self.geometry.parameters([self.first])
        last = f"{self.first} + {self.width - 1}"
        ends = isl().PwAff(f"[{names}] -> {{ [({last})] }}").le_set(high).params()
        starts = isl().Set(
            f"[{names}] -> {{ : {self.first} >= {start} and ({self.first} - {start}) mod {self.width} = 0 }}"
        )
        inside = self._moved(self.known, 0).intersect(ends).intersect(starts)
        if self.geometry.guard(self._whole(), inside) is not None:
            return None
        count = high.add_constant_val(isl().Val(1 - start)).scale_down_val(isl().Val(self.width)).floor()
        text = self.geometry.text(count.gist_params(self.geometry.nonempty), self.geometry.nonempty)
        return f"{self.wide} ? {text} : 0"

    def fast(self, printer: Printer) -> list[str]:
        """The code of a whole group on a boundary."""
        body, fixed = self.nest.body(self.nest.schedule.loops), self.nest.schedule.loops
        inside = self.known
        for leaf in self._sure_leaves():
            inside = inside.intersect(self._domain(leaf))
        code = self.nest.fragments(body).code(body, fixed, inside, replace(printer, access=self._access))
        used = {word for line in code for word in WORD.findall(line)}
        own_point = [self._own_point()] if self.along in used else []
        stored = [(wide, lanes) for wide, lanes in zip(self.arrays, self.lanes, strict=True) if wide.stored]
        return [
            *[line for wide, lanes in zip(self.arrays, self.lanes, strict=True) for line in self._load(wide, lanes)],
            self._lane_loop(),
            *own_point, *self.nest.local_declarations(), *code, "}",
            *[line for wide, lanes in stored for line in self._store(wide, lanes)],
        ]  # fmt: skip

    def slow(self, printer: Printer) -> list[str]:
        """The code of any group, one point after another."""
        body = self.nest.body(self.nest.schedule.loops)
        code = self.nest.fragments(body).code(body, self.nest.schedule.loops, self.known, printer)
        return [self._lane_loop(), self._own_point(), *self.nest.local_declarations(), *code, "}"]

    def _lane_loop(self) -> str:
        return f"#pragma unroll\nfor (int {self.lane} = 0; {self.lane} < {self.width}; ++{self.lane}) {{"

    def _own_point(self) -> str:
        type_name = signed_index_type(self.nest.nest.loop(self.along).type)
        return f"const {type_name} {self.along} = {self.first} + {self.lane};"

    # ---- wide accesses

    def _vector(self, wide: Wide) -> str:
        return f"{VECTORS[wide.type]}{self.width}" if self._chunks(wide) == wide.stride == 1 else _CHUNKS[wide.chunk]

    def _chunks(self, wide: Wide) -> int:
        return self.width * wide.stride * size_bytes(wide.type) // wide.chunk

    def _chunk(self, wide: Wide, place: str, number: int, const: str) -> str:
        """One chunk of a stretch that starts at a pointer."""
        pointer = f"reinterpret_cast<{const}{self._vector(wide)}*>({place})"
        return f"*{pointer}" if self._chunks(wide) == 1 else f"{pointer}[{number}]"

    def _in_memory(self, wide: Wide, number: int, const: str) -> str:
        return self._chunk(
            wide, f"&{wide.array}[{_text(wide.flat, {self.along: self.first}, self.nest.writer.wide)}]", number, const
        )

    def _load(self, wide: Wide, lanes: str) -> list[str]:
        lines = [f"alignas({wide.chunk}) {wide.type} {lanes}[{self.width * wide.stride}];"]
        for number in range(self._chunks(wide) if wide.loaded else 0):
            value = self._in_memory(wide, number, "const ")
            value = f"__ldcs(&{value})".replace("&*", "") if self._streamed(wide) else value
            lines.append(f"{self._chunk(wide, lanes, number, '')} = {value};")
        return lines

    def _store(self, wide: Wide, lanes: str) -> list[str]:
        lines = []
        for number in range(self._chunks(wide)):
            value, target = self._chunk(wide, lanes, number, "const "), self._in_memory(wide, number, "")
            lines.append(
                f"__stcs(&{target}, {value});".replace("&*", "", 1) if self._streamed(wide) else f"{target} = {value};"
            )
        return lines

    def _streamed(self, wide: Wide) -> bool:
        return wide.array in self.nest.printer().streamed

    def _access(self, element: Element, printer: Printer) -> str | None:
        for wide, lanes in zip(self.arrays, self.lanes, strict=True):
            offset = wide.offsets.get((printer.leaf.name, element)) if printer.leaf is not None else None
            if offset is not None:
                return f"{lanes}[{self._lane_of(wide, offset, printer)}]"
        return None

    def _lane_of(self, wide: Wide, offset: Terms, printer: Printer) -> str:
        """Where an element of this lane's point is in the stretch."""
        if wide.stride == 1:
            return self.lane
        assert printer.leaf is not None and printer.leaf.affine is not None
        inside = c_text(str(printer.leaf.affine.text(offset)), self.geometry.names, printer.arguments)
        return f"{wide.stride} * {self.lane}" + ("" if inside == "0" else f" + {inside}")

    # ---- which groups are whole

    def _sure_leaves(self) -> list[Leaf]:
        return list({leaf.name: leaf for wide in self.arrays for leaf in wide.leaves}.values())

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


def _text(flat: Terms, moved: dict[str, str], long: bool) -> str:
    """A flat subscript as C, with products in 64 bits where the source may need them."""
    out = ""
    for atoms, value in sorted(flat.items(), key=lambda item: (item[1] < 0, item[0] == (), -len(item[0]), item[0])):
        factors = [moved.get(atom, atom) for atom in atoms]
        if abs(value) != 1 or not factors:
            factors.insert(0, str(abs(value)))
        if long and len(factors) > 1:
            factors[0] = f"(long long){factors[0]}"
        out += (" - " if value < 0 else " + ") + " * ".join(factors)
    return out[3:] if out.startswith(" + ") else "-" + out[3:]
