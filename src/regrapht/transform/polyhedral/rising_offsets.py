"""Which arrays of offsets must rise for segments to be apart, and whether the launcher can test that they do (see `segments`)."""

from collections.abc import Sequence
from typing import Any

from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, Access, Leaf, leaves
from regrapht.transform.polyhedral.scop import Scop
from regrapht.transform.polyhedral.segments import lie_in_segments


def rising_wanted(scop: Scop, group: Sequence[Leaf]) -> list[str]:
    """Offsets that the function never changes, and that would have to rise for leaves to write segments of their own."""
    by_array: dict[str, list[Access]] = {}
    for leaf in group:
        for access in leaf.accesses:
            by_array.setdefault(access.array, []).append(access)
    fixed = _unchanged(scop)
    return sorted(name for name in fixed if any(lie_in_segments(one, {name}) for one in by_array.values()))


def _unchanged(scop: Scop) -> set[str]:
    """Arrays among the parameters that nothing writes."""
    written = {access.array for leaf in leaves(scop.tree) for access in leaf.accesses if access.kind != READ}
    return {one.name for one in scop.function.parameters if one.is_pointer} - written


def segments_of(scop: Scop, offsets: str) -> Any:
    """isl's set of the numbers of all segments that the function goes through, by the parameters that all of it knows."""
    found = isl().Set("{ [i] : false }")
    for access in _in_segments(scop, offsets):
        found = found.union(_numbers(scop, access))
    return found.coalesce()


def may_be_read(scop: Scop, offsets: str, extent: str | None) -> bool:
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


def _in_segments(scop: Scop, offsets: str) -> list[Access]:
    accesses = [access for leaf in leaves(scop.tree) for access in leaf.accesses]
    return [access for access in accesses if access.segment is not None and access.segment.offsets == offsets]


def _numbers(scop: Scop, access: Access) -> Any:
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
