"""Families of functions by seed. What a family draws is a task with its reference, its sizes and, where one thread can make an element
alone, that thread's code. Nothing here is right by itself: the judge says what is.
"""

from collections.abc import Callable

from regrapht.distil.families import elements, neighbours, rows, totals
from regrapht.distil.families.pen import LICENCE as LICENCE
from regrapht.distil.families.pen import Drawn as Drawn
from regrapht.distil.families.pen import Pen

FAMILIES: tuple[tuple[Callable[[Pen], Drawn], int], ...] = (
    (elements.flat_map, 4),
    (elements.whole_numbers, 2),
    (elements.text_bytes, 1),
    (elements.grid_map, 4),
    (elements.moved, 2),
    (elements.iterated, 3),
    (elements.with_helper, 3),
    (elements.small_matrices, 2),
    (neighbours.line_stencil, 3),
    (neighbours.plane_stencil, 2),
    (neighbours.plane_filter, 2),
    (neighbours.space_stencil, 2),
    (neighbours.window, 2),
    (neighbours.channels, 2),
    (rows.row_total, 4),
    (rows.row_norm, 3),
    (rows.product, 5),
    (rows.vector_product, 3),
    (rows.pairwise, 3),
    (rows.gathered, 3),
    (rows.searched, 2),
    (rows.counted_bins, 1),
    (rows.picked_rows, 2),
    (totals.total, 4),
    (totals.grid_total, 2),
    (totals.histogram, 2),
    (totals.prefix, 2),
    (totals.staged, 3),
    (totals.in_steps, 2),
    (totals.scattered, 2),
)
"""What draws a function, and how often it is taken."""


def draw(seed: int, number: int) -> Drawn:
    """The function of that number; the same for the same seed."""
    pen = Pen(f"{seed}/{number}")
    return pen.chance.choices([one for one, _ in FAMILIES], weights=[share for _, share in FAMILIES])[0](pen)
