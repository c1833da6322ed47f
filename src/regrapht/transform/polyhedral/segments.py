"""Loops over a segment, whose bounds are neighbouring offsets in memory: `for (e = first[v]; e < first[v + 1]; ++e)`.

What such a loop touches at `e` belongs to segment v. Segments of different v share no element where the offsets rise, that is, where
`first[i] <= first[i + 1]` for all i of the function's segments. isl cannot know that; where it is given, an access at `e` is one to row v.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regrapht.source.polynomial import Terms, add
from regrapht.transform.ir.expressions import Binary, Cast, Element, Expression, Variable
from regrapht.transform.ir.idioms import all_of
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import Declare, For, every
from regrapht.transform.isl_library import isl
from regrapht.transform.polyhedral.affine import Affine
from regrapht.transform.polyhedral.loop_tree import READ, Access, Leaf, Segment, leaves

if TYPE_CHECKING:
    from regrapht.transform.polyhedral.scop import Scop


def segment_of(loop: For, affine: Affine, *, certain: bool) -> Segment | None:
    """The segment that a loop goes through; None where it may leave it.

    `affine` reads expressions where the loop stands, in its leaf's own iteration; `certain`: the leaf always comes to it.
    """
    if loop.step != 1 or loop.left_by_flag or not is_integer(loop.type) or _is_changed(loop):
        return None
    bounds = _Bounds(affine, loop.type)
    first = bounds.place(loop.start)
    if first is None:
        return None
    for position, part in enumerate(all_of(loop.condition)):
        match part:
            case Binary("<", Variable(name=name), end) | Binary(">", end, Variable(name=name)) if name == loop.variable:
                last = bounds.place(end)
                if last is not None and last[0] == first[0] and add(last[1], first[1], -1) == {(): 1}:
                    text = affine.text(first[1])
                    read = certain and position == 0  # what comes before may keep the source from the second offset
                    return None if text is None else Segment(first[0], text, read)
    return None


def _is_changed(loop: For) -> bool:
    """Whether a loop's turns change its variable, or name another one as it."""
    inside = list(every(loop.body))
    again = any(
        (isinstance(one, Declare) and one.name == loop.variable)
        or (isinstance(one, For) and one.variable == loop.variable)
        for one in inside
    )
    return again or loop.variable in assigned_variables(loop.body)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Reads the bounds of a loop that counts in `type`."""

    affine: Affine
    type: str

    def place(self, bound: Expression) -> tuple[str, Terms] | None:
        """The array of offsets and the subscript that a bound is read at.

        Conversions on the way, by casts or locals, are to the offsets' own type or the loop's, which is no narrower: any order of these
        keeps the segments apart, since offsets that rise are split at one value at most, and a segment around that one has no turn.
        """
        types, symbols = set(), self.affine.symbols
        while not isinstance(bound, Element):
            match bound:
                case Cast(type=to, operand=operand):
                    types.add(to)
                    bound = operand
                case Variable(name=name) if name in symbols.definitions and name not in self.affine.iterators:
                    types.add(symbols.types[name])
                    bound = symbols.definitions[name]
                case _:
                    return None
        own = symbols.types.get(bound.array, "")
        if len(bound.subscripts) != 1 or not is_integer(own) or not 4 <= size_bytes(own) <= size_bytes(self.type):
            return None
        place = self.affine.polynomial(bound.subscripts[0])
        if place is None or not types <= {own, self.type} or any(len(atoms) > 1 for atoms in place):
            return None
        names = {*self.affine.iterators, *symbols.parameters}
        return (bound.array, place) if all(atom in names for atoms in place for atom in atoms) else None


def lie_in_segments(accesses: Sequence[Access], rising: Collection[str]) -> bool:
    """Whether accesses to one array, one of them writing, are all in segments of the same offsets, which are known to rise."""
    offsets = {None if access.segment is None else access.segment.offsets for access in accesses}
    (only,) = offsets if len(offsets) == 1 else (None,)
    return only is not None and only in rising and any(access.kind != READ for access in accesses)


def set_segment_map(access: Access) -> None:
    """Set the map of an access in a segment: from iterations to any element of the segment. Its index stays unknown."""
    leaf, segment = access.leaf, access.segment
    assert segment is not None
    condition = " and ".join(access.conditions) or "true"
    where = f"{leaf.name}[{', '.join(leaf.dims)}] -> {access.array}_segments[{segment.place}, any__]"
    access.index = None
    access.map = isl().Map(f"[{leaf.parameters}] -> {{ {where} : {condition} }}").intersect_domain(leaf.domain)


def rising_wanted(scop: "Scop", group: Sequence[Leaf]) -> list[str]:
    """Offsets that the function never changes, and that would have to rise for leaves to write segments of their own."""
    by_array: dict[str, list[Access]] = {}
    for leaf in group:
        for access in leaf.accesses:
            by_array.setdefault(access.array, []).append(access)
    fixed = _unchanged(scop)
    return sorted(name for name in fixed if any(lie_in_segments(one, {name}) for one in by_array.values()))


def _unchanged(scop: "Scop") -> set[str]:
    """Arrays among the parameters that nothing writes."""
    written = {access.array for leaf in leaves(scop.tree) for access in leaf.accesses if access.kind != READ}
    return {one.name for one in scop.function.parameters if one.is_pointer} - written


def segments_of(scop: "Scop", offsets: str) -> Any:
    """isl's set of the numbers of all segments that the function goes through, by the parameters that all of it knows."""
    found = isl().Set("{ [i] : false }")
    for access in _in_segments(scop, offsets):
        found = found.union(_numbers(scop, access))
    return found.coalesce()


def may_be_read(scop: "Scop", offsets: str, extent: str | None) -> bool:
    """Whether offsets of all segments are there to be read, whatever the data.

    They are in the array's `extent`, isl's text, or where the source reads them always.
    """
    for access in _in_segments(scop, offsets):
        assert access.segment is not None
        numbers = _numbers(scop, access)
        stays = not any(loop.launched is not None or loop.left_by_flag for loop in access.leaf.loops)
        if access.segment.certain and stays:
            continue
        if extent is None:
            return False
        names = ", ".join(sorted(scop.symbols.parameters | set(scop.symbols.products)))
        inside = isl().Set(f"[{names}] -> {{ [i] : 0 <= i and i + 1 < {extent} }}")
        if not numbers.intersect_params(scop.required()).is_subset(inside):
            return False
    return True


def is_bounded(numbers: Any) -> bool:
    """Whether a set of segments has a first and a last one."""
    kind = isl().dim_type.set
    return bool(numbers.dim_has_lower_bound(kind, 0) and numbers.dim_has_upper_bound(kind, 0))


def _in_segments(scop: "Scop", offsets: str) -> list[Access]:
    accesses = [access for leaf in leaves(scop.tree) for access in leaf.accesses]
    return [access for access in accesses if access.segment is not None and access.segment.offsets == offsets]


def _numbers(scop: "Scop", access: Access) -> Any:
    """The numbers of the segments of one access. What only a turn of a launched loop has may be any."""
    leaf, segment = access.leaf, access.segment
    assert segment is not None
    names = ", ".join(sorted(scop.symbols.parameters | set(scop.symbols.products)))
    dims = ", ".join(loop.variable for loop in leaf.loops if loop.launched is None)
    held = [*(text for loop in leaf.loops for text in loop.constraints), *leaf.conditions, *access.conditions]
    text = f"[{names}] -> {{ [{dims}] -> [{segment.place}] : {' and '.join(held) or 'true'} }}"
    found, kind = isl().Map(text).range(), isl().dim_type.param
    for name in scop.of_turns():
        position = found.find_dim_by_name(kind, name)
        if position >= 0:
            found = found.project_out(kind, position, 1)
    return found
