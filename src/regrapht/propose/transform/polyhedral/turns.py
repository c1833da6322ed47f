"""How many turns loops make at most, whatever the sizes are."""

import math

from regrapht.propose.transform.isl_library import isl
from regrapht.propose.transform.polyhedral.loop_tree import Leaf

FEW = 64
"""One thread makes this many turns in less time than a launch takes."""


def most_turns(leaf: Leaf, position: int) -> float:
    """How many values the leaf's dimension at `position` takes at most; infinite where the sizes bound it."""
    kind = isl().dim_type.set
    values = leaf.domain.project_out(kind, position + 1, len(leaf.dims) - position - 1)
    values = values.project_out(kind, 0, position).reset_tuple_id()
    width = values.dim_max(0).sub(values.dim_min(0)).max_val()
    return width.to_python() + 1 if width.is_int() else math.inf
