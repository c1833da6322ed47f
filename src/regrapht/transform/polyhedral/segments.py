"""Loops over a segment, whose bounds are neighbouring offsets in memory: `for (e = first[v]; e < first[v + 1]; ++e)`.

What such a loop touches at `e` belongs to segment v. Segments of different v share no element where the offsets rise, that is, where
`first[i] <= first[i + 1]` for all i of the function's segments. isl cannot know that; where it is given, an access at `e` is one to row v.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from regrapht.source.polynomial import Terms, add
from regrapht.transform.ir.expressions import Binary, Cast, Element, Expression, Variable
from regrapht.transform.ir.idioms import all_of
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import Declare, For, every
from regrapht.transform.polyhedral.affine import Affine
from regrapht.transform.polyhedral.loop_tree import READ, Access, Segment


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
    assert segment is not None and leaf.affine is not None
    condition = " and ".join(access.conditions) or "true"
    where = f"{leaf.name}[{', '.join(leaf.dims)}] -> {access.array}_segments[{segment.place}, any__]"
    access.index = None
    access.map = leaf.affine.symbols.isl_map(f"[{leaf.parameters}] -> {{ {where} : {condition} }}").intersect_domain(
        leaf.domain
    )
