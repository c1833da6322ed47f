"""Intervals that cover what they should, and a paired test that knows an arbitrary naming from a real difference."""

import itertools
import random

import numpy as np
import pytest

from regrapht.bench.intervals import bootstrap_mean, compare_paired


def test_an_interval_covers_the_mean_about_as_often_as_it_says():
    seed = random.randrange(2**32)
    print("seed", seed)
    draw = random.Random(seed)
    trials = 200
    covered = 0
    for trial in range(trials):
        found = bootstrap_mean([draw.gauss(3, 1) for _ in range(40)], seed=trial, resamples=1000)
        covered += found.low <= 3 <= found.high
    assert covered > 0.86 * trials  # 95 % is meant; below this by chance once in a million


def test_an_interval_is_about_tasks_and_not_only_about_seeds():
    by_task = np.repeat(np.linspace(0, 1, 6)[:, None], 50, axis=1)  # seeds agree, tasks do not
    wide = bootstrap_mean(by_task)
    assert wide.value == pytest.approx(0.5) and wide.high - wide.low > 0.4
    by_seed = np.repeat(np.linspace(0, 1, 50)[None], 6, axis=0)
    assert bootstrap_mean(by_seed).high - bootstrap_mean(by_seed).low < 0.15
    assert bootstrap_mean(by_task) == wide  # seeded


def test_the_nested_interval_covers_the_truth_about_as_often_as_it_says():
    covered = 0
    for seed in range(150):
        draw = np.random.default_rng(seed)
        values = draw.normal(0, 1, (12, 1)) + draw.normal(0, 1, (12, 8))
        interval = bootstrap_mean(values, seed=seed, resamples=400)
        covered += interval.low <= 0 <= interval.high
    assert covered >= 0.87 * 150


def test_the_test_is_the_exact_one_up_to_chance():
    first, second = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0], [2.0, 1.5, 3.0, 1.0, 3.0, 5.0]
    difference = [a - b for a, b in zip(first, second, strict=True)]
    flips = list(itertools.product((1, -1), repeat=6))
    seen = abs(sum(difference))
    exact = sum(abs(sum(s * d for s, d in zip(signs, difference, strict=True))) >= seen for signs in flips) / len(flips)
    found = compare_paired(first, second)
    assert found.p_value == pytest.approx(exact, abs=0.02)
    assert (found.wins, found.losses, found.ties) == (4, 1, 1)
    assert found.difference.value == pytest.approx(sum(difference) / 6)


def test_no_difference_is_none():
    found = compare_paired([1.0, 2.0], [1.0, 2.0])
    assert found.p_value == 1.0 and not found.difference.excludes_zero and found.ties == 2


def test_a_clear_difference():
    found = compare_paired([float(i + 2) for i in range(30)], [float(i) for i in range(30)])
    assert found.p_value < 0.001 and found.difference.excludes_zero and found.difference.low == 2.0


def test_nothing_and_unequal():
    assert bootstrap_mean([]) is None and bootstrap_mean(np.empty((0, 3))) is None and compare_paired([], []) is None
    with pytest.raises(ValueError, match="same tasks"):
        compare_paired([1.0], [])


def test_equal_results_give_equal_figures():
    values = [0.3, 0.1, 0.9, 0.4]
    assert bootstrap_mean(values) == bootstrap_mean(values)
