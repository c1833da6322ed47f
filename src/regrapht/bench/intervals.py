"""How sure a comparison is: bootstrap intervals over tasks, and a paired test between two methods on the same tasks.

Both are seeded, so the same results give the same figures. Tasks are what is resampled first: a claim is about tasks that were not tried,
so few tasks make wide intervals however many runs each has. The runs of a task, where they are given one by one, are resampled within it.
Percentile intervals are too narrow for few tasks all the same: of normal data they cover the mean in 74, 84 and 85 of 100 cases with 3, 5
and 7 tasks. A claim from so few needs the test's p-value beside it, which with n tasks is never below 2 to the power 1 - n.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the 95 % interval around it."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the sign of the value is settled."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """One method against another on the same tasks."""

    difference: Interval
    """Mean of first minus second."""
    p_value: float
    """Two-sided, by sign flips: how often a difference as large comes up when the names of the two are arbitrary at every task."""
    wins: int
    losses: int
    ties: int


def bootstrap_mean(
    values: "Sequence[float] | np.ndarray", *, seed: int = 0, resamples: int = RESAMPLES, least: int = 2
) -> Interval | None:
    """The mean with its percentile interval, by the nested bootstrap; None of fewer than `least` tasks.

    Args:
        values: One number a task, or a matrix of tasks (rows) by runs, as many of every task.
        seed: Of the resampling. A resample draws tasks with replacement, as many as there are, then the runs of each drawn task in the
            same way. A single number is its task's only run, so that tasks alone are resampled.
        resamples: How many.
        least: Below so many tasks there is no interval. With one it has no width, which says nothing.
    """
    import numpy as np

    if len(values) < max(least, 1):
        return None
    runs = np.asarray(values, dtype=np.float64).reshape(len(values), -1)
    tasks, each = runs.shape
    random = np.random.default_rng(seed)
    means = []
    for count in _batches(resamples):
        task = random.integers(0, tasks, (count, tasks, 1))
        run = random.integers(0, each, (count, tasks, each))
        means.append(runs[task, run].mean(axis=(1, 2)))
    low, high = np.percentile(np.concatenate(means), (2.5, 97.5))
    return Interval(float(runs.mean()), float(low), float(high))


def compare_paired(
    first: Sequence[float], second: Sequence[float], *, seed: int = 0, resamples: int = RESAMPLES, least: int = 2
) -> Paired | None:
    """Mean difference of two methods over the same tasks, in the same order; None of fewer than `least`.

    The interval resamples tasks with `seed`; the test draws a sign for every task's difference with `seed + 1`.

    Raises:
        ValueError: The two do not have a value for each of the same tasks.
    """
    import numpy as np

    if len(first) != len(second):
        raise ValueError(f"a paired comparison needs the same tasks, not {len(first)} and {len(second)}")
    difference = [a - b for a, b in zip(first, second, strict=True)]
    interval = bootstrap_mean(difference, seed=seed, resamples=resamples, least=least)
    if interval is None:
        return None
    drawn = np.asarray(difference, dtype=np.float64)
    random = np.random.default_rng(seed + 1)
    least = abs(drawn.mean()) - 1e-12
    as_large = sum(
        int((np.abs((random.integers(0, 2, (count, drawn.size)) * 2 - 1) @ drawn / drawn.size) >= least).sum())
        for count in _batches(resamples)
    )
    return Paired(
        difference=interval,
        p_value=(as_large + 1) / (resamples + 1),
        wins=int((drawn > 0).sum()),
        losses=int((drawn < 0).sum()),
        ties=int((drawn == 0).sum()),
    )


def _batches(total: int, size: int = 500) -> list[int]:
    """Resamples in parts, so that memory does not grow with their number. The size decides which numbers a nested bootstrap draws."""
    return [size] * (total // size) + ([total % size] if total % size else [])
