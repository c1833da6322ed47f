"""The shape of an error: where in an output the wrong elements lie, in words that point at a cause. Never a value."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from regrapht.evaluate.element_arrays import Array

Mask = NDArray[np.bool_]
_TILES = (16, 32, 64, 128, 8, 256, 512, 1024)


def pattern(wrong: Mask, dimensions: Sequence[int]) -> str:
    """Which elements of an array of shape `dimensions` are wrong, as a phrase: `the last 3 of 1000 elements`, `every other row`.

    `wrong` is flat and may be shorter than the whole array (a valid length).
    """
    count, total = int(wrong.sum()), wrong.size
    if count == 0:
        return "none"
    if count == total:
        return "every element"
    indices = np.flatnonzero(wrong)
    first, last = int(indices[0]), int(indices[-1])
    shape = tuple(length for length in dimensions if length > 1)
    is_matrix = len(shape) >= 2 and math.prod(shape) == total
    if is_matrix and (lines := _whole_lines(wrong.reshape(-1, shape[-1]))):
        return lines
    if last - first + 1 == count:
        return _run(first, last, total)
    if is_matrix and (found := _in_matrix(wrong.reshape(-1, shape[-1]))):
        return found
    if step := _stride(indices):
        return f"every {_ordinal(step)} element from element {first} ({count} of {total})"
    return f"{count} of {total} elements, scattered between elements {first} and {last}"


def magnitude(value: float) -> str:
    """A number's class, not its value: `NaN`, `-inf`, `zero`, `about 1e+03`."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value == 0:
        return "zero"
    sign = "-" if value < 0 else ""
    return f"about {sign}1e{math.floor(math.log10(abs(value))):+03d}"


def place(index: int, dimensions: Sequence[int]) -> str:
    """An element's index as the program would write it: `[3][17]`."""
    if len(dimensions) < 2 or math.prod(dimensions) <= index:
        return f"[{index}]"
    return "".join(f"[{int(i)}]" for i in np.unravel_index(index, tuple(dimensions)))


def _run(first: int, last: int, total: int) -> str:
    count = last - first + 1
    if count == 1 and last == total - 1:
        return f"the last of {total} elements alone"
    if last == total - 1:
        for tile in _TILES:
            if first % tile == 0 and total % tile == count:
                return f"the tail: the last {count} of {total} elements, after the last whole block of {tile}"
        return f"the tail: the last {count} of {total} elements, from element {first}"
    if first == 0:
        return f"the first {count} of {total} elements" if count > 1 else f"the first of {total} elements alone"
    return f"elements {first} to {last} of {total}" if count > 1 else f"element {first} of {total} alone"


def _whole_lines(wrong: Mask) -> str | None:
    """Rows or columns of a matrix that are wrong throughout, if that is all."""
    bad_rows, bad_columns = np.asarray(wrong.any(1)), np.asarray(wrong.any(0))
    if (wrong == bad_rows[:, None]).all():
        return _lines("row", np.flatnonzero(bad_rows), wrong.shape[0])
    if (wrong == bad_columns[None, :]).all():
        return _lines("column", np.flatnonzero(bad_columns), wrong.shape[1])
    return None


def _in_matrix(wrong: Mask) -> str | None:
    """A border, a triangle, or the part after the last whole tile of a matrix."""
    rows, columns = wrong.shape
    bad_rows, bad_columns = np.asarray(wrong.any(1)), np.asarray(wrong.any(0))
    border = np.zeros_like(wrong)
    border[[0, -1], :] = border[:, [0, -1]] = True
    if not (wrong & ~border).any():
        return "the border of the matrix"
    for tile in _TILES:
        row_edge, column_edge = rows // tile * tile, columns // tile * tile
        if (
            row_edge > 0
            and column_edge > 0
            and (row_edge, column_edge) != (rows, columns)
            and not wrong[:row_edge, :column_edge].any()
        ):
            return f"only past the last whole tile of {tile} rows or columns"
    if not wrong[np.tri(rows, columns, dtype=bool)].any():
        return "only above the diagonal"
    if not wrong[~np.tri(rows, columns, -1, dtype=bool)].any():
        return "only below the diagonal"
    if bad_rows.sum() < rows or bad_columns.sum() < columns:
        return f"{int(wrong.sum())} elements in {int(bad_rows.sum())} of {rows} rows and {int(bad_columns.sum())} of {columns} columns"
    return None


def _lines(word: str, indices: Array, total: int) -> str:
    count = indices.size
    if count == 1:
        return f"{word} {int(indices[0])} of {total}"
    if int(indices[-1]) - int(indices[0]) + 1 == count:
        edge = "the last " if indices[-1] == total - 1 else "the first " if indices[0] == 0 else ""
        return f"{edge}{count} {word}s of {total}, from {word} {int(indices[0])}"
    if step := _stride(indices):
        return f"every {_ordinal(step)} {word} from {word} {int(indices[0])}"
    return f"{count} of {total} {word}s"


def _stride(indices: Array) -> int | None:
    steps = np.diff(indices)
    return int(steps[0]) if steps.size >= 2 and (steps == steps[0]).all() and steps[0] > 1 else None


def _ordinal(step: int) -> str:
    return "other" if step == 2 else f"{step}th"
