"""Arrays whose elements one kernel touches once: their loads and stores may go past the caches."""

from regrapht.transform.ir.expressions import Element
from regrapht.transform.plan.nest import Nest
from regrapht.transform.polyhedral.loop_tree import READ, WRITE, Access
from regrapht.transform.polyhedral.scop import Scop

_NO_HINT = frozenset({"bool"})
"""Types for which CUDA has no load and store with a cache hint."""


def touched_once(nest: Nest, scop: Scop) -> frozenset[str]:
    """Arrays with one access in the nest, a read or a plain write, that reaches no element twice."""
    by_array: dict[str, list[Access]] = {}
    for access in nest.accesses:
        if access.array in scop.arrays and isinstance(access.expression, Element):
            by_array.setdefault(access.array, []).append(access)
    return frozenset(
        array
        for array, accesses in by_array.items()
        if len({(a.expression, a.kind, a.leaf.name) for a in accesses}) == 1
        and accesses[0].kind in (READ, WRITE)
        and accesses[0].index is not None
        and accesses[0].map.is_injective()
        and scop.element_type(array) not in _NO_HINT
    )
