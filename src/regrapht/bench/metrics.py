"""What a table of results may say, each metric once, with its formula and where it comes from.

A metric that is not defined is None, never a number that looks like one: pass@k of fewer than k samples, a mean over no task, a speed-up
where a sample that passed was not timed. Speed-ups are against one baseline, named by the caller; values against different baselines
are never put together.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One independent attempt of a method at one task: a run with its seed, and what came out at the end."""

    built: bool
    passed: bool
    speedup: float | None = None
    """Over the chosen baseline; None when it did not pass, or was not timed."""

    def __post_init__(self) -> None:
        if self.passed and not self.built:
            raise ValueError("a sample that passed was built")
        if self.speedup is not None and not (self.passed and 0 < self.speedup < math.inf):
            raise ValueError(f"a speed-up is a positive number of a sample that passed, not {self.speedup}")


class Failures(Enum):
    """What a failed sample is worth where speed-ups are averaged over all tasks."""

    AS_ZERO = 0.0
    """Nothing was delivered."""
    AS_ONE = 1.0
    """The user keeps the baseline: falls back on it."""


Task = Sequence[Sample]
"""All samples of one method at one task."""


def pass_at_k(samples: Task, k: int) -> float | None:
    """Probability that at least one of k samples, drawn without replacement, passes: `1 - C(n-c, k) / C(n, k)`.

    Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1. None below k samples.
    """
    return _any_of_k(sum(sample.passed for sample in samples), len(samples), k)


def build_at_k(samples: Task, k: int) -> float | None:
    """As `pass_at_k`, of being built."""
    return _any_of_k(sum(sample.built for sample in samples), len(samples), k)


def build_rate(tasks: Sequence[Task]) -> float | None:
    """Share of all samples that were built."""
    samples = [sample for task in tasks for sample in task]
    return mean([float(sample.built) for sample in samples])


def expected_best_of_k(values: Sequence[float], k: int) -> float | None:
    """Mean over all subsets of k values of the largest: `sum_i v_(i) C(i-1, k-1) / C(n, k)` with values ascending. None below k values."""
    _require_positive(k)
    n = len(values)
    if n < k:
        return None
    total = math.comb(n, k)
    return sum(value * (math.comb(i, k - 1) / total) for i, value in enumerate(sorted(values)))


def speedup_at_k(samples: Task, k: int, *, failures: Failures) -> float | None:
    """Expected best speed-up of k samples at one task, a failed one counted as `failures` says.

    With `AS_ONE` a program slower than the baseline also counts 1: who falls back, falls back from that too. None below k samples, or where
    a sample that passed was not timed.
    """
    values = []
    for sample in samples:
        if sample.passed and sample.speedup is None:
            return None
        values.append(max(sample.speedup or failures.value, failures.value))
    return expected_best_of_k(values, k)


def mean_over_solved(tasks: Sequence[Task]) -> float | None:
    """The best-supported reading of ReGraphT's speedup@1: the arithmetic mean over *solved tasks only* of the first sample's speed-up.

    Solving fewer and easier tasks can raise it; it stands beside `speedup_at_k`, never alone. None when no task is solved, or one was not
    timed.
    """
    first = [task[0] for task in tasks if task and task[0].passed]
    if any(sample.speedup is None for sample in first):
        return None
    return mean([sample.speedup for sample in first if sample.speedup is not None])


def fast_p(tasks: Sequence[Task], p: float) -> float | None:
    """Share of *all* tasks whose first sample is correct and more than p times as fast as the baseline (KernelBench).

    `fast_p(..., 0)` is the share that is correct. None without tasks, or where a sample that passed was not timed and p is not 0.
    """
    hits = []
    for task in tasks:
        sample = task[0] if task else None
        if sample is None or not sample.passed:
            hits.append(0.0)
        elif p == 0:
            hits.append(1.0)
        elif sample.speedup is None:
            return None
        else:
            hits.append(float(sample.speedup > p))
    return mean(hits)


def geometric_mean(values: Sequence[float]) -> float | None:
    """`exp(mean(log v))`. None of nothing, or where a value is 0: then there is no such mean."""
    if not values or min(values) <= 0:
        return None
    return statistics.geometric_mean(values)


def geometric_mean_of(values: Sequence[float | None]) -> float | None:
    """As `geometric_mean`; None as soon as one is missing, so that no task drops out in silence."""
    known = [value for value in values if value is not None]
    return geometric_mean(known) if len(known) == len(values) else None


def median_of(values: Sequence[float | None]) -> float | None:
    """The middle value, of an even number the mean of the two; None of nothing, or as soon as one is missing."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known and len(known) == len(values) else None


def best_of_solved(samples: Task) -> float | None:
    """The largest speed-up of a task's samples that passed; None where one of them was not timed, or none passed."""
    found = [sample.speedup for sample in samples if sample.passed]
    known = [value for value in found if value is not None]
    return max(known, default=None) if len(known) == len(found) else None


def anytime(improvements: Sequence[tuple[int, float]], budget: int) -> float:
    """Mean over b = 1 ... budget of the best value within the first b judged candidates; 0 counts until there is one.

    The area under the curve of best values by budget, over the budget: of two methods that end alike, the one that got there with fewer
    candidates has more of it.

    Args:
        improvements: Number of judged candidates so far, from 1, and the value then; in any order, and values need not rise.
        budget: Judged candidates, at least 1.
    """
    _require_positive(budget)
    total, best, since = 0.0, 0.0, 1
    for judged, value in sorted(improvements):
        if judged > budget or value <= best:
            continue
        total += best * (judged - since)
        best, since = value, judged
    return (total + best * (budget + 1 - since)) / budget


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean; None of nothing."""
    return math.fsum(values) / len(values) if values else None


def mean_over_tasks(values: Sequence[float | None]) -> float | None:
    """The mean of a metric over tasks; None as soon as it is undefined at one, so that no task drops out in silence."""
    if any(value is None for value in values):
        return None
    return mean([value for value in values if value is not None])


def _any_of_k(hits: int, n: int, k: int) -> float | None:
    _require_positive(k)
    return None if n < k else 1.0 - math.comb(n - hits, k) / math.comb(n, k)


def _require_positive(number: int) -> None:
    if number < 1:
        raise ValueError(f"a number of samples or candidates is at least 1, not {number}")
