"""Times and ratios: what may be said of two programs, and which combinations make no sense."""

import pytest

from regrapht.records.encoding import from_json, to_json
from regrapht.records.measurement import Comparison, Ratio, ShapeTiming, TimingSamples

TIMES = TimingSamples(samples_us=(10.0, 11.0, 12.0))


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (1.03, 1.2, Comparison.FAST),
        (0.8, 0.97, Comparison.SLOW),
        (0.985, 1.015, Comparison.SAME),
        (0.97, 1.03, Comparison.AMBIGUOUS),
        (1.01, 1.5, Comparison.AMBIGUOUS),
    ],
)
def test_what_an_interval_allows_to_be_said(low, high, said):
    assert Ratio(against="naive", value=(low + high) / 2, low=low, high=high).comparison is said


def timing(**more):
    return ShapeTiming(sizes={"n": 8}, candidate=TIMES, baselines={}, ratios=(), **more)


def test_further_times_are_measured_or_absent_for_a_reason():
    assert set(timing().absent) == {"kernel", "end_to_end", "with_transfers"}, "a record from before has a reason too"
    with pytest.raises(ValueError, match="kernel is either measured or absent"):
        timing(kernel=TIMES)
    with pytest.raises(ValueError, match="with_transfers is either measured or absent"):
        timing(end_to_end=TIMES, absent={"kernel": "screening"})
    whole = timing(kernel=TIMES, end_to_end=TIMES, with_transfers=TIMES, absent={}, first_call_us=99.0)
    assert from_json(ShapeTiming, to_json(whole)) == whole


def test_a_ratio_needs_its_baseline():
    with pytest.raises(ValueError, match="without its samples"):
        ShapeTiming(
            sizes={}, candidate=TIMES, baselines={}, ratios=(Ratio(against="naive", value=1.0, low=0.9, high=1.1),)
        )
