"""Which iterations must keep their order: pairs of accesses that touch one element, at least one of them writing.

Memory-based, so no flow analysis is needed: a loop may run in parallel when no two of its iterations conflict.
"""

from collections.abc import Container, Iterator, Sequence
from typing import Any

from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, Access, Leaf

Pairs = list[tuple[Access, Access]]


def conflicts(
    group: Sequence[Leaf], position: int, fixed: Sequence[int], shared_locals: Container[str], required: Any = None
) -> Pairs:
    """Pairs of accesses that touch one element in iterations that differ in dimension `position` and agree in those of `fixed`.

    `shared_locals` are the locals that several leaves use; others live inside one execution of a leaf. `required` is the set of parameters
    that count; None: any.
    """
    return list(found_conflicts(group, position, fixed, shared_locals, required))


def found_conflicts(
    group: Sequence[Leaf], position: int, fixed: Sequence[int], shared_locals: Container[str], required: Any = None
) -> Iterator[tuple[Access, Access]]:
    """As `conflicts`, one after the other."""
    accesses = _distinct([access for leaf in group for access in leaf.accesses])
    for number, first in enumerate(accesses):
        for second in accesses[number:]:
            if first.array != second.array or (first.kind == READ and second.kind == READ):
                continue
            both_own = first.array in first.leaf.own and second.array in second.leaf.own
            if both_own and first.array not in shared_locals:
                continue
            if _touch(first, second, position, fixed, required):
                yield first, second


def _distinct(accesses: list[Access]) -> list[Access]:
    """One access of each leaf, kind and place: the others cannot conflict with anything more."""
    seen: dict[tuple, Access] = {}
    for access in accesses:
        place = (access.expression, access.conditions, access.bounds, access.segment)
        key = (access.leaf.name, access.kind, access.operator, *place)
        seen.setdefault(key, access)
    return list(seen.values())


def _touch(first: Access, second: Access, position: int, fixed: Sequence[int], required: Any) -> bool:
    pairs = _meeting(first, second, fixed)
    if min(pairs.dim(isl().dim_type.in_), pairs.dim(isl().dim_type.out)) <= position:
        return False
    if pairs.is_subset(_equal(pairs, position)):
        return False
    return required is None or not apart(first, second, position, fixed).intersect_params(required).is_empty()


def apart(first: Access, second: Access, position: int, fixed: Sequence[int]) -> Any:
    """isl's map of the pairs of iterations that touch one element, differ in dimension `position` and agree in those of `fixed`."""
    pairs = _meeting(first, second, fixed)
    return pairs.subtract(_equal(pairs, position))


def _meeting(first: Access, second: Access, fixed: Sequence[int]) -> Any:
    assert first.map is not None and second.map is not None
    pairs = first.map.apply_range(second.map.reverse())
    for dimension in fixed:
        pairs = _equal(pairs, dimension)
    return pairs


def _equal(pairs: Any, position: int) -> Any:
    return pairs.equate(isl().dim_type.in_, position, isl().dim_type.out, position)


def only_updates(pairs: Pairs) -> dict[str, str] | None:
    """The operator of each target when all conflicts are updates by one operator: a reduction. Otherwise None."""
    operators: dict[str, str] = {}
    for first, second in pairs:
        if first.kind != UPDATE or second.kind != UPDATE or first.operator != second.operator:
            return None
        if operators.setdefault(first.array, first.operator) != first.operator:
            return None
    return operators
