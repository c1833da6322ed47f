"""How many turns loops make at most, whatever the sizes are."""

import math
from collections.abc import Sequence
from typing import Any

from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Leaf

FEW = 64
"""One thread makes this many turns in less time than a launch takes."""


def is_narrow(group: Sequence[Leaf], position: int) -> bool:
    """Whether a loop makes many turns in all, but a fixed number at most in each turn of those outside: along a band, or in blocks."""
    return all(math.isinf(most_turns(leaf, position)) and not math.isinf(most_apart(leaf, position)) for leaf in group)


def most_apart(leaf: Leaf, position: int, given: Any = None) -> float:
    """How far two values of a dimension are from each other at most, those outside of it being the same. `given` as in `most_turns`."""
    kind, source, target = isl().dim_type.set, isl().dim_type.in_, isl().dim_type.out
    domain = leaf.domain if given is None else leaf.domain.intersect_params(given)
    values = domain.project_out(kind, position + 1, len(leaf.dims) - position - 1).reset_tuple_id()
    pairs = isl().Map.from_domain_and_range(values, values)
    for outer in range(position):
        pairs = pairs.equate(source, outer, target, outer)
    apart = pairs.deltas().dim_max_val(position)
    return apart.to_python() if apart.is_int() else math.inf


def most_turns(leaf: Leaf, position: int, given: Any = None) -> float:
    """How many values the leaf's dimension at `position` takes at most; infinite where the sizes bound it.

    `given` is a set of parameters.
    """
    kind = isl().dim_type.set
    domain = leaf.domain if given is None else leaf.domain.intersect_params(given)
    values = domain.project_out(kind, position + 1, len(leaf.dims) - position - 1)
    values = values.project_out(kind, 0, position).reset_tuple_id()
    width = widest(values)
    return math.inf if width is None else width + 1


def widest(values: Any) -> int | None:
    """How far the first and the last value of a set of one dimension are from each other at most; None where the sizes bound it."""
    width = isl().Map.from_domain_and_range(values, values).deltas().dim_max_val(0)
    return int(width.to_python()) if width.is_int() else None
