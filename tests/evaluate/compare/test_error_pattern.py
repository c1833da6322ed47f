"""Patterns in words."""

import numpy as np
import pytest

from regrapht.evaluate.compare.error_pattern import magnitude, pattern, place


def wrong(total, indices):
    mask = np.zeros(total, bool)
    mask[indices] = True
    return mask


@pytest.mark.parametrize(
    ("mask", "dimensions", "words"),
    [
        (wrong(100, slice(None)), (100,), "every element"),
        (wrong(100, [99]), (100,), "the last of 100 elements alone"),
        (wrong(100, slice(96, None)), (100,), "after the last whole block of 8 or 16 or 32"),
        (wrong(100, slice(90, None)), (100,), "the tail: the last 10 of 100"),
        (wrong(100, slice(0, 3)), (100,), "the first 3 of 100"),
        (wrong(100, slice(1, None, 2)), (100,), "every other element from element 1"),
        (wrong(100, [3, 50, 51]), (100,), "3 of 100 elements, scattered"),
        (wrong(60, [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]), (6, 10), "row 1 of 6"),
        (wrong(60, slice(50, None)), (6, 10), "row 5 of 6"),
        (wrong(60, slice(3, None, 10)), (6, 10), "column 3 of 10"),
        (wrong(64, np.flatnonzero(np.arange(64) // 8 % 2)), (8, 8), "every other row"),
        (wrong(30 * 40, np.flatnonzero(np.arange(1200) // 40 >= 16)[::3]), (30, 40), "past the last whole tile of 16"),
        (wrong(36, np.flatnonzero(np.triu(np.ones((6, 6)), 1).ravel())), (6, 6), "only above the diagonal"),
    ],
)
def test_patterns(mask, dimensions, words):
    assert words in pattern(mask, dimensions)


def test_magnitudes_are_classes_not_values():
    assert magnitude(float("nan")) == "NaN" and magnitude(float("-inf")) == "-inf" and magnitude(0.0) == "zero"
    assert magnitude(-1234.5) == "about -1e+03" and magnitude(0.00321) == "about 1e-03"


def test_places():
    assert place(17, (3, 10)) == "[1][7]" and place(17, (100,)) == "[17]"
