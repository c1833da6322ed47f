"""The figure that decided stands in the refusal, and no bar that was met."""

import numpy as np
import pytest

from regrapht.evaluate.compare.column import ComparedColumn
from regrapht.evaluate.compare.outputs import _deciding_bar
from regrapht.records.verdict import Status


@pytest.mark.parametrize(
    ("norm", "bar", "element", "told"),
    [
        (6.8e-8, 4.1e-6, 37.25, "the worst element is off by 37.2 times what is allowed for one"),
        (2.5e-3, 4.1e-6, 0.4, "the output as a whole is off by 0.0025 of its norm, 4.1e-06 is allowed"),
        (2.5e-3, 4.1e-6, None, "the output as a whole is off by 0.0025 of its norm, 4.1e-06 is allowed"),
        (6.8e-8, 4.1e-6, 0.9, ""),
        (None, None, None, ""),
    ],
)
def test_only_bars_that_were_not_met_are_told(norm, bar, element, told):
    wrong = np.array([True, False])
    column = ComparedColumn(
        wrong=wrong, status=Status.WRONG_VALUE, norm_error=norm, norm_bar=bar, element_error=element
    )
    assert _deciding_bar(column) == told


def test_both_are_told_where_neither_was_met():
    column = ComparedColumn(
        wrong=np.array([True]), status=Status.WRONG_VALUE, norm_error=0.5, norm_bar=0.1, element_error=9.0
    )
    assert " is allowed, and the worst element " in _deciding_bar(column)
