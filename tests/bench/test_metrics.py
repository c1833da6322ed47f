"""Metrics against their definitions by enumeration of every subset."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrapht.bench.metrics import (
    Failures,
    Sample,
    anytime,
    build_at_k,
    build_rate,
    expected_best_of_k,
    fast_p,
    geometric_mean,
    mean_over_solved,
    mean_over_tasks,
    median_of,
    pass_at_k,
    speedup_at_k,
)


def timed(speedup: float) -> Sample:
    return Sample(built=True, passed=True, speedup=speedup)


WRONG = Sample(built=True, passed=False)
BROKEN = Sample(built=False, passed=False)
UNTIMED = Sample(built=True, passed=True)
samples = st.lists(st.one_of(st.sampled_from([WRONG, BROKEN]), st.floats(0.01, 100).map(timed)), min_size=1, max_size=7)
ks = st.integers(1, 7)


def over_subsets(values, k, of):
    chosen = [of(subset) for subset in itertools.combinations(values, k)]
    return math.fsum(chosen) / len(chosen) if chosen else None


@given(samples, ks)
def test_pass_and_build_at_k_by_enumeration(task, k):
    for metric, is_hit in ((pass_at_k, lambda s: s.passed), (build_at_k, lambda s: s.built)):
        wanted = over_subsets(task, k, lambda subset, is_hit=is_hit: float(any(map(is_hit, subset))))
        assert metric(task, k) == pytest.approx(wanted) if wanted is not None else metric(task, k) is None


@given(samples, ks, st.sampled_from(Failures))
def test_speedup_at_k_by_enumeration(task, k, failures):
    def best(subset):
        return max(max(s.speedup if s.passed else failures.value, failures.value) for s in subset)

    wanted = over_subsets(task, k, best)
    got = speedup_at_k(task, k, failures=failures)
    assert got == pytest.approx(wanted) if wanted is not None else got is None


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=8))
def test_the_expected_best_grows_with_k_from_mean_to_maximum(values):
    best = [expected_best_of_k(values, k) for k in range(1, len(values) + 1)]
    assert best[0] == pytest.approx(math.fsum(values) / len(values)) and best[-1] == pytest.approx(max(values))
    assert all(a <= b or a == pytest.approx(b) for a, b in itertools.pairwise(best))


def test_the_best_of_all_is_the_best():
    assert speedup_at_k([timed(v) for v in (1, 2, 4, 8)], 4, failures=Failures.AS_ZERO) == 8


def test_failures_count_and_a_slow_program_may_be_left():
    task = [timed(0.5), WRONG, timed(4.0)]
    assert speedup_at_k(task, 1, failures=Failures.AS_ZERO) == pytest.approx(4.5 / 3)
    assert speedup_at_k(task, 1, failures=Failures.AS_ONE) == pytest.approx(6 / 3)


def test_undefined_is_not_a_number():
    assert pass_at_k([WRONG], 2) is None and expected_best_of_k([1.0], 2) is None
    assert speedup_at_k([UNTIMED, timed(2)], 1, failures=Failures.AS_ZERO) is None
    assert build_rate([]) is None and fast_p([], 1) is None and mean_over_solved([[WRONG]]) is None
    assert geometric_mean([]) is None and geometric_mean([0.0, 2.0]) is None
    assert mean_over_tasks([1.0, None]) is None and mean_over_tasks([]) is None
    with pytest.raises(ValueError, match="at least 1"):
        pass_at_k([WRONG], 0)


def test_means_over_tasks():
    tasks = [[timed(8)], [WRONG], [timed(2), timed(100)], [BROKEN]]
    assert mean_over_solved(tasks) == 5.0  # of the first samples of solved tasks
    assert build_rate(tasks) == pytest.approx(4 / 5)
    assert mean_over_tasks([pass_at_k(task, 1) for task in tasks]) == 0.5
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)
    assert median_of([8.0, 1.0, 2.0]) == 2.0 and median_of([8.0, 2.0]) == 5.0
    assert median_of([]) is None and median_of([1.0, None]) is None


def test_fast_p_over_all_tasks():
    """Four tasks of two time units each, taken in 1, 4, never and 1.9: shares above 0, 0.5, 1, 1.5 and 2 times the speed, strictly."""
    tasks = [[timed(2 / 1)], [timed(2 / 4)], [WRONG], [timed(2 / 1.9)]]
    assert [fast_p(tasks, p) for p in (0, 0.5, 1, 1.5, 2)] == [0.75, 0.5, 0.5, 0.25, 0.0]


@given(samples)
def test_order_does_not_matter(task):
    for k in range(1, len(task) + 1):
        for failures in Failures:
            forward = speedup_at_k(task, k, failures=failures)
            assert forward == pytest.approx(speedup_at_k(task[::-1], k, failures=failures))


@pytest.mark.parametrize(
    "fields",
    [
        {"built": False, "passed": True},
        {"built": True, "passed": False, "speedup": 2.0},
        {"built": True, "passed": True, "speedup": 0.0},
        {"built": True, "passed": True, "speedup": math.inf},
    ],
)
def test_a_sample_makes_sense(fields):
    with pytest.raises(ValueError):
        Sample(**fields)


@given(st.lists(st.tuples(st.integers(1, 30), st.floats(0, 1)), max_size=8), st.integers(1, 25))
def test_anytime_is_the_mean_of_the_best_so_far_at_every_budget(improvements, budget):
    bests = [max((value for judged, value in improvements if judged <= b), default=0.0) for b in range(1, budget + 1)]
    assert anytime(improvements, budget) == pytest.approx(math.fsum(bests) / budget)


def test_anytime_by_hand():
    assert anytime([(2, 0.4), (4, 0.8)], 4) == pytest.approx((0 + 0.4 + 0.4 + 0.8) / 4)
    assert anytime([], 5) == 0.0 and anytime([(6, 1.0)], 5) == 0.0
    with pytest.raises(ValueError, match="at least 1, not 0"):
        anytime([], 0)
