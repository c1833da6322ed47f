"""What an experiment shows, in words: which method is better than which, by how much and how surely. Every word rests on a paired test.

A difference is called shown when its 95 % interval excludes zero and its p-value, corrected for the number of comparisons, is at most 0.05.
Both, because the interval is too narrow for few tasks and the p-value says nothing of the size.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regrapht.bench.intervals import Interval, Paired, compare_paired
from regrapht.bench.metrics import mean
from regrapht.bench.summary.comparable import Comparable

LEVEL = 0.05
"""Largest corrected p-value of a difference that is called shown."""
_TOLD_ONE_BY_ONE = 6
"""With more comparisons than that, each method has one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two methods on the same tasks, the one with the higher mean reward first."""

    higher: str
    lower: str
    paired: Paired
    p_corrected: float
    """By Holm's method, for all comparisons of the experiment."""

    @property
    def is_shown(self) -> bool:
        """Whether the tasks show that the first is better."""
        return self.paired.difference.excludes_zero and self.p_corrected <= LEVEL

    @property
    def tasks(self) -> int:
        return self.paired.wins + self.paired.losses + self.paired.ties

    @property
    def least_p(self) -> float:
        """The smallest p-value that the tasks at which the two differ could give."""
        return min(1.0, 2.0 ** (1 - self.paired.wins - self.paired.losses))


def compare_all(rewards: Mapping[str, Mapping[str, float]]) -> tuple[Comparison, ...]:
    """Every pair of methods, shown differences first and then the larger ones; empty below two tasks.

    Args:
        rewards: By method and task; all methods have the same tasks.
    """
    found: list[tuple[str, str, Paired]] = []
    for first, second in itertools.combinations(rewards, 2):
        one, other = rewards[first], rewards[second]
        if sum(one.values()) < sum(other[id] for id in one):
            first, second, one, other = second, first, other, one
        paired = compare_paired([one[id] for id in one], [other[id] for id in one])
        if paired is not None:
            found.append((first, second, paired))
    corrected = holm([paired.p_value for *_, paired in found])
    comparisons = [
        Comparison(higher=higher, lower=lower, paired=paired, p_corrected=p)
        for (higher, lower, paired), p in zip(found, corrected, strict=True)
    ]
    return tuple(sorted(comparisons, key=lambda c: (not c.is_shown, -c.paired.difference.value)))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number, in the same order (Holm 1979).

    The j-th smallest of m is multiplied by m - j + 1, and is never below a smaller one.
    """
    corrected, reached = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = reached
    return corrected


def conclude(
    view: Comparable, comparisons: Sequence[Comparison], on_the_way: Sequence[Comparison] = ()
) -> tuple[str, ...]:
    """The conclusion in sentences; never empty.

    Args:
        comparisons: By the reward of what is delivered.
        on_the_way: By anytime reward. What it shows besides is said after the rest.
    """
    if not view.cells and not view.left_out:
        return (f"No cell is done yet, of {view.experiment.cell_count}.",)
    if not view.cells:
        return ("Nothing can be said yet: no task is finished by every method.",)
    if len(view.of) == 1:
        return ("One method was run, so there is nothing to compare it with.",)
    if not comparisons:
        return ("One task says nothing of others: no method can be called better than another.",)
    shown = [comparison for comparison in comparisons if comparison.is_shown]
    open_ = [comparison for comparison in comparisons if not comparison.is_shown]
    many = len(comparisons)
    if many <= _TOLD_ONE_BY_ONE:
        said = [_better(view, found, many) for found in shown] + [_undecided(view, found, many) for found in open_]
    else:
        said = [_better_than_several(view, method, shown, many) for method in view.of]
        said.append(_open_pairs(open_, shown))
    said.append(_sooner(shown, on_the_way))
    said = [sentence for sentence in said if sentence]
    if not view.is_measured:
        said.append(
            "Rewards are the emulator's modelled costs. Nothing was timed, and on a GPU another method may be the better one."
        )
    return tuple(said)


def _better(view: Comparable, found: Comparison, comparisons: int) -> str:
    paired = found.paired
    return (
        f"{found.higher} is better than {found.lower}: its mean {view.reward_name} is {paired.difference.value:.3f} higher "
        f"({_sure(found, comparisons)}) over {found.tasks} tasks. It wins {paired.wins} of them, loses {paired.losses} and is level at "
        f"{paired.ties}. {_solved(view, found)}"
    )


def _better_than_several(view: Comparable, method: str, shown: Sequence[Comparison], comparisons: int) -> str:
    """What one method is better than, in one sentence; empty where it is better than none."""
    than = [found for found in shown if found.higher == method]
    if not than:
        return ""
    differences = ", ".join(f"{found.lower} (by {_difference(found)})" for found in than)
    largest = max(found.p_corrected for found in than)
    return (
        f"{method} is better than {differences} in mean {view.reward_name} over {than[0].tasks} tasks; p is {largest:.2g} or less, "
        f"corrected for {comparisons} comparisons."
    )


def _sooner(shown: Sequence[Comparison], on_the_way: Sequence[Comparison]) -> str:
    """Which method is the better one on its way to the budget, of pairs that are not told apart at its end; empty where none is."""
    told = {(found.higher, found.lower) for found in shown}
    pairs = [found for found in on_the_way if found.is_shown and (found.higher, found.lower) not in told]
    if not pairs:
        return ""
    better = "; ".join(f"{found.higher} than {found.lower} (by {_difference(found)})" for found in pairs)
    largest = max(found.p_corrected for found in pairs)
    return (
        f"With fewer candidates (anytime reward, the mean over every part of the budget) better, though not shown to be at its end: "
        f"{better}; p is {largest:.2g} or less, corrected for {len(on_the_way)} comparisons."
    )


def _open_pairs(undecided: Sequence[Comparison], shown: Sequence[Comparison]) -> str:
    """The pairs that nothing is shown of, in one sentence; empty where there are none."""
    told = [f"{found.higher} and {found.lower} ({_difference(found)})" for found in undecided]
    if len(told) <= _TOLD_ONE_BY_ONE:
        return f"No difference is shown between {'; '.join(told)}." if told else ""
    every = "any two of the methods" if not shown else f"the two of {len(told)} other pairs"
    return f"No difference is shown between {every}; the largest is that of {told[0]}, the table has all."


def _difference(found: Comparison) -> str:
    interval = found.paired.difference
    return f"{interval.value:.3f}, 95 % {span(interval)}"


def _undecided(view: Comparable, found: Comparison, comparisons: int) -> str:
    if not found.paired.wins + found.paired.losses:
        return f"No difference is shown between {found.higher} and {found.lower}: they are level at all {found.tasks} tasks."
    text = (
        f"No difference is shown between {found.higher} and {found.lower}: the mean {view.reward_name} of {found.higher} is "
        f"{found.paired.difference.value:.3f} higher ({_sure(found, comparisons)}) over {found.tasks} tasks. {_solved(view, found)}"
    )
    differ = found.paired.wins + found.paired.losses
    if found.least_p * comparisons > LEVEL:
        least = min(1.0, found.least_p * comparisons)
        text += f" They differ at {differ} task{'s' if differ > 1 else ''}, too few to show anything: p cannot be below {least:.3g}."
    return text


def _solved(view: Comparable, found: Comparison) -> str:
    """The share of runs that passed, of either."""
    shares = [
        mean([float(cell.passed) for cells in view.of[method].values() for cell in cells]) or 0.0
        for method in (found.higher, found.lower)
    ]
    return f"{found.higher} passes in {_percent(shares[0])} of its runs, {found.lower} in {_percent(shares[1])}."


def _sure(found: Comparison, comparisons: int) -> str:
    corrected = f", corrected for {comparisons} comparisons" if comparisons > 1 else ""
    return f"95 % {span(found.paired.difference)}; p = {found.p_corrected:.2g}{corrected}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def span(interval: Interval | None) -> str | None:
    """An interval's ends."""
    return None if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"
