"""What ratios of times say."""

import numpy as np
import pytest

from regrapht.evaluate.timing.ratios import Round, is_launch_bound, is_settled, paired_ratio, ratio, with_launch_noise
from regrapht.records.measurement import Comparison, TimingSamples

SEED = 20


def noisy(centre, spread, count=60, seed=SEED):
    rng = np.random.default_rng(seed)
    return TimingSamples(samples_us=tuple(centre * (1 + spread * rng.standard_normal(count))))


def test_same_programs_are_same_and_slower_ones_slow():
    print("seed", SEED)
    outcomes = [ratio("x", noisy(100, 0.01, seed=i), noisy(100, 0.01, seed=1000 + i)).comparison for i in range(100)]
    assert outcomes.count(Comparison.SAME) >= 95
    slower = [ratio("x", noisy(100, 0.01, seed=i), noisy(105, 0.01, seed=1000 + i)).comparison for i in range(100)]
    assert slower.count(Comparison.SLOW) >= 95
    assert ratio("x", noisy(200, 0.01), noisy(100, 0.01, seed=2)).comparison is Comparison.FAST
    assert ratio("x", noisy(100, 0.4, count=10), noisy(100, 0.4, count=10, seed=2)).comparison is Comparison.AMBIGUOUS


def test_ratio_has_its_value_inside_its_interval():
    found = ratio("naive", noisy(300, 0.05), noisy(100, 0.05, seed=3))
    assert found.low <= found.value <= found.high and 2.7 < found.value < 3.3
    assert found == ratio("naive", noisy(300, 0.05), noisy(100, 0.05, seed=3)), "the resampling is seeded"


@pytest.mark.parametrize(
    ("call_us", "kernel_us", "bound"), [(37, 20, True), (24, 20, False), (90, 60, False), (37, None, False)]
)
def test_launches_decide_the_time_of_short_kernels(call_us, kernel_us, bound):
    queued = () if kernel_us is None else noisy(kernel_us, 0.01).samples_us
    assert is_launch_bound(noisy(call_us, 0.01), queued) == bound


def test_where_launches_decide_only_a_large_ratio_is_one():
    def comparison(baseline_us):
        return with_launch_noise(ratio("naive", noisy(baseline_us, 0.01), noisy(37, 0.01, seed=2))).comparison

    assert [comparison(us) for us in (20, 37, 45, 60)] == ["SLOW", "AMBIGUOUS", "AMBIGUOUS", "FAST"]


def test_settled():
    assert is_settled(noisy(100, 0.005, count=200)) and not is_settled(noisy(100, 0.2, count=30))


def drifting_rounds(partner_us, candidate_us, *, seed, count=5, each=16):
    """ABBA rounds on a machine whose speed wanders by 10 % from round to round."""
    rng = np.random.default_rng(seed)
    rounds = []
    for _ in range(count):
        drift = 1 + 0.1 * rng.standard_normal()
        own, others = (us * drift * (1 + 0.01 * rng.standard_normal(each)) for us in (candidate_us, partner_us))
        rounds.append(Round(candidate=tuple(own), partner=tuple(others)))
    return rounds


def test_pairs_cancel_what_drifts():
    print("seed", SEED)
    pairs = [paired_ratio("naive", drifting_rounds(105, 100, seed=SEED + i)) for i in range(20)]
    assert all(pair.paired and pair.low <= pair.value <= pair.high for pair in pairs)
    assert sum(1.03 < pair.value < 1.07 for pair in pairs) >= 18
    unpaired = [
        ratio(
            "naive",
            TimingSamples(samples_us=tuple(t for r in drifting_rounds(105, 100, seed=2 * i) for t in r.partner)),
            TimingSamples(samples_us=tuple(t for r in drifting_rounds(105, 100, seed=2 * i + 1) for t in r.candidate)),
        )
        for i in range(20)
    ]
    spread = np.std([r.value for r in unpaired]) / np.std([r.value for r in pairs])
    assert spread > 2, "apart from each other in time, the same programs scatter more"
