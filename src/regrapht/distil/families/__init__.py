"""Families of functions by seed. What a family draws is a task with its reference, its sizes and, where one thread can make an element
alone, that thread's code. Nothing here is right by itself: the judge says what is.
"""

from collections.abc import Callable

from regrapht.distil.families import branches, elements, folds, neighbours, rows, shared_work, surroundings, totals
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
    (totals.scattered, 1),
    (branches.chained, 7),
    (branches.coded, 4),
    (branches.narrowed, 4),
    (branches.words, 3),
    (branches.one_number, 4),
    (branches.triples, 4),
    (folds.folded_rows, 7),
    (folds.segments, 5),
    (folds.series, 5),
    (folds.chosen, 3),
    (folds.sorted_few, 2),
    (surroundings.offsets, 4),
    (surroundings.inside, 4),
    (surroundings.resampled, 4),
    (surroundings.planes, 3),
    (shared_work.several, 5),
    (shared_work.columns, 3),
    (shared_work.tallies, 3),
    (shared_work.chain, 5),
)
"""What draws a function, and how often it is taken."""


def draw(seed: int, number: int) -> Drawn:
    """The function of that number; the same for the same seed."""
    pen = Pen(f"{seed}/{number}")
    return pen.chance.choices([one for one, _ in FAMILIES], weights=[share for _, share in FAMILIES])[0](pen)
