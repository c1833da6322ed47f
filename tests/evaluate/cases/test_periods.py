"""Turns after which what a text computes comes again, and lengths that its numbers divide."""

import pytest

from regrapht.evaluate.cases.periods import common_multiples, wrapping_periods
from regrapht.evaluate.inputs.own_numbers import numbers_in

PERIODS = {
    "y[(i * 4194304u) >> 12] = x[i];": [1024],
    "y[((unsigned)i << 20) >> 16] = x[i];": [4096],
    "const unsigned short k = i * 3; y[k] = x[i];": [65536],
    "y[(uint16_t)i] = x[i];": [65536],
    "y[(i * 2654435761u) >> 20] = x[i];": [],
    "y[i] = 2 * x[i];  // times 4194304": [],
    "y[i & 255] = (unsigned char)x[i];": [],
}


@pytest.mark.parametrize("text", PERIODS)
def test_wrapping_periods(text):
    assert wrapping_periods(text, numbers_in(text)) == PERIODS[text]


def test_common_multiples():
    assert common_multiples((), 60, 16384) == [60]
    assert common_multiples((8.0, 7.0, 2.5), 60, 16384) == [840]
    assert common_multiples((7919.0, 16.0), 60, 16384) == [240, 15838]
