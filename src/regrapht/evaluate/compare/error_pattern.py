"""The shape of an error: where in an output the wrong elements lie, in words that point at a cause. Never a value."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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
    first, last = _ends(wrong)
    shape = tuple(length for length in dimensions if length > 1)
    is_matrix = len(shape) >= 2 and math.prod(shape) == total
    if is_matrix and (lines := _whole_lines(wrong.reshape(-1, shape[-1]))):
        return lines
    if last - first + 1 == count:
        return _run(first, last, total)
    if is_matrix and (found := _in_matrix(wrong.reshape(-1, shape[-1]))):
        return found
    if step := _stride(wrong, first, last, count):
        return f"every {_ordinal(step)} element from element {first} ({count} of {total})"
    return f"{count} of {total} elements, scattered between elements {first} and {last}"


def first_of(wrong: Mask) -> int | None:
    """The index of the first wrong element."""
    index = int(wrong.argmax()) if wrong.size else 0
    return index if wrong.size and wrong[index] else None


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
        if tiles := [f"{tile}" for tile in sorted(_TILES) if first % tile == 0 and total % tile == count]:
            which = " or ".join(tiles)
            return f"the tail: the last {count} of {total} elements, after the last whole block of {which}"
        return f"the tail: the last {count} of {total} elements, from element {first}"
    if first == 0:
        return f"the first {count} of {total} elements" if count > 1 else f"the first of {total} elements alone"
    return f"elements {first} to {last} of {total}" if count > 1 else f"element {first} of {total} alone"


def _whole_lines(wrong: Mask) -> str | None:
    """Rows or columns of a matrix that are wrong throughout, if that is all."""
    bad_rows, bad_columns = np.asarray(wrong.any(1)), np.asarray(wrong.any(0))
    if (wrong == bad_rows[:, None]).all():
        return _lines("row", bad_rows)
    if (wrong == bad_columns[None, :]).all():
        return _lines("column", bad_columns)
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


def _lines(word: str, wrong: Mask) -> str:
    count, total = int(wrong.sum()), wrong.size
    first, last = _ends(wrong)
    if count == 1:
        return f"{word} {first} of {total}"
    if last - first + 1 == count:
        edge = "the last " if last == total - 1 else "the first " if first == 0 else ""
        return f"{edge}{count} {word}s of {total}, from {word} {first}"
    if step := _stride(wrong, first, last, count):
        return f"every {_ordinal(step)} {word} from {word} {first}"
    return f"{count} of {total} {word}s"


def _ends(wrong: Mask) -> tuple[int, int]:
    """The first and the last wrong index of a mask that has one. No list of indices: the mask may be of a large array."""
    return int(wrong.argmax()), wrong.size - 1 - int(wrong[::-1].argmax())


def _stride(wrong: Mask, first: int, last: int, count: int) -> int | None:
    """The constant distance between wrong elements, where it is more than 1 and there are at least three."""
    if count < 3:
        return None
    step = 1 + int(wrong[first + 1 :].argmax())
    regular = (last - first) % step == 0 and (last - first) // step + 1 == count
    return step if step > 1 and regular and bool(wrong[first : last + 1 : step].all()) else None


def _ordinal(step: int) -> str:
    return "other" if step == 2 else f"{step}th"
