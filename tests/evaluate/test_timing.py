"""What is believed of times, and what ratios say."""

import numpy as np
import pytest

from regrapht.evaluate.timing import Comparison, clocks_agree, compare, is_settled, plausible_wall, ratio, taken
from regrapht.records.measurement import TimingSamples

SEED = 20


def noisy(centre, spread, count=60, seed=SEED):
    rng = np.random.default_rng(seed)
    return TimingSamples(samples_us=tuple(centre * (1 + spread * rng.standard_normal(count))))


def test_untaken_repetitions_are_dropped():
    assert taken([(1.0, 2.0), (0.0, 0.0), (float("nan"), 1.0), (3.0, 4.0)]) == [(1.0, 2.0), (3.0, 4.0)]


@pytest.mark.parametrize(
    ("event", "host", "agree"),
    [
        *[(5.0, 15.0, True), (100.0, 115.0, True), (10_000.0, 10_500.0, True), (1e6, 1.02e6, True)],
        *[(0.1, 2000.0, False), (100.0, 160.0, False), (10_000.0, 12_000.0, False)],
    ],
)
def test_work_that_events_do_not_see(event, host, agree):
    assert clocks_agree([(event, host)] * 10) is agree


def test_a_child_cannot_have_taken_longer_than_it_lived():
    assert plausible_wall([(1.0, 1000.0)] * 100, 0.2) and not plausible_wall([(1.0, 1e6)] * 100, 2.0)


def test_same_programs_are_same_and_slower_ones_slow():
    print("seed", SEED)
    outcomes = [compare(ratio("x", noisy(100, 0.01, seed=i), noisy(100, 0.01, seed=1000 + i))) for i in range(100)]
    assert outcomes.count(Comparison.SAME) >= 95
    slower = [compare(ratio("x", noisy(100, 0.01, seed=i), noisy(105, 0.01, seed=1000 + i))) for i in range(100)]
    assert slower.count(Comparison.SLOW) >= 95
    assert compare(ratio("x", noisy(200, 0.01), noisy(100, 0.01, seed=2))) is Comparison.FAST
    assert compare(ratio("x", noisy(100, 0.4, count=10), noisy(100, 0.4, count=10, seed=2))) is Comparison.AMBIGUOUS


def test_ratio_has_its_value_inside_its_interval():
    found = ratio("naive", noisy(300, 0.05), noisy(100, 0.05, seed=3))
    assert found.low <= found.value <= found.high and 2.7 < found.value < 3.3
    assert found == ratio("naive", noisy(300, 0.05), noisy(100, 0.05, seed=3)), "the resampling is seeded"


def test_settled():
    assert is_settled(noisy(100, 0.005, count=200)) and not is_settled(noisy(100, 0.2, count=30))
