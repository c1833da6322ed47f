"""Which iterations must keep their order: pairs of accesses that touch one element, at least one of them writing.

Memory-based, so no flow analysis is needed: a loop may run in parallel when no two of its iterations conflict.
"""

from collections.abc import Container, Sequence

from regrapht.propose.transform.isl_library import isl
from regrapht.propose.transform.polyhedral.loop_tree import READ, UPDATE, Access, Leaf

Pairs = list[tuple[Access, Access]]


def conflicts(group: Sequence[Leaf], position: int, fixed: Sequence[int], shared_locals: Container[str]) -> Pairs:
    """Pairs of accesses that touch one element in iterations that differ in dimension `position` and agree in those of `fixed`.

    `shared_locals` are the locals that several leaves use; others live inside one execution of a leaf.
    """
    accesses = _distinct([access for leaf in group for access in leaf.accesses])
    found: Pairs = []
    for number, first in enumerate(accesses):
        for second in accesses[number:]:
            if first.array != second.array or (first.kind == READ and second.kind == READ):
                continue
            both_own = first.array in first.leaf.own and second.array in second.leaf.own
            if both_own and first.array not in shared_locals:
                continue
            if _touch(first, second, position, fixed):
                found.append((first, second))
    return found


def _distinct(accesses: list[Access]) -> list[Access]:
    """One access of each leaf, kind and place: the others cannot conflict with anything more."""
    seen: dict[tuple, Access] = {}
    for access in accesses:
        key = (access.leaf.name, access.kind, access.operator, access.expression, access.conditions, access.bounds)
        seen.setdefault(key, access)
    return list(seen.values())


def _touch(first: Access, second: Access, position: int, fixed: Sequence[int]) -> bool:
    assert first.map is not None and second.map is not None
    source, target = isl().dim_type.in_, isl().dim_type.out
    pairs = first.map.apply_range(second.map.reverse())
    if min(pairs.dim(source), pairs.dim(target)) <= position:
        return False
    for dimension in fixed:
        pairs = pairs.equate(source, dimension, target, dimension)
    return not pairs.is_subset(pairs.equate(source, position, target, position))


def only_updates(pairs: Pairs) -> dict[str, str] | None:
    """The operator of each target when all conflicts are updates by one operator: a reduction. Otherwise None."""
    operators: dict[str, str] = {}
    for first, second in pairs:
        if first.kind != UPDATE or second.kind != UPDATE or first.operator != second.operator:
            return None
        if operators.setdefault(first.array, first.operator) != first.operator:
            return None
    return operators
