"""What one part of a method is worth: two models, searches, proposers or prompts on the same tasks, with all else the same."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence

from regrapht.bench.intervals import Paired, compare_paired
from regrapht.bench.metrics import mean
from regrapht.bench.summary.comparable import Comparable
from regrapht.bench.summary.conclusions import holm
from regrapht.bench.summary.table import Cell, Table

_SHOWN = {"search": "search", "proposer": "proposer", "model": "model", "prompts_hash": "prompts"}
_Pair = tuple[str, str, str]
"""A part and two of its values."""


def parts(view: Comparable) -> Table:
    """A row a part and two of its values, over every two methods that differ in it alone; a task's reward is the mean over these."""
    found: list[tuple[_Pair, int, Paired]] = []
    for (part, one, other), methods in _matched(view).items():
        rewards = [_rewards(view, [pair[side] for pair in methods]) for side in (0, 1)]
        if sum(rewards[0].values()) < sum(rewards[1].values()):
            one, other, rewards = other, one, rewards[::-1]
        paired = compare_paired(list(rewards[0].values()), [rewards[1][id] for id in rewards[0]])
        if paired is not None:
            found.append(((part, one, other), len(methods), paired))
    corrected = holm([paired.p_value for *_, paired in found])
    rows: list[tuple[Cell, ...]] = [
        (
            *pair,
            count,
            paired.difference.value,
            paired.difference,
            paired.p_value,
            p,
            paired.wins,
            paired.losses,
            paired.ties,
        )
        for (pair, count, paired), p in zip(found, corrected, strict=True)
    ]
    columns = ("part", "higher", "lower", "pairs", "higher by", "95 %", "p", "p, corrected", "won", "lost", "equal")
    title = f"One part changed, all else the same, by mean {view.reward_name}"
    return Table(name="parts", title=title, columns=columns, rows=tuple(rows))


def _matched(view: Comparable) -> Mapping[_Pair, list[tuple[str, str]]]:
    """Pairs of methods that differ in one part alone, by that part and its two values."""
    matched: dict[_Pair, list[tuple[str, str]]] = defaultdict(list)
    for first, second in itertools.combinations(view.experiment.parts, 2):
        if len(different := first.differs_in(second)) != 1:
            continue
        values = [
            str(getattr(method, different[0]))[: 12 if different[0] == "prompts_hash" else None]
            for method in (first, second)
        ]
        names = [first.name, second.name]
        if values[0] > values[1]:
            values, names = values[::-1], names[::-1]
        matched[_SHOWN[different[0]], values[0], values[1]].append((names[0], names[1]))
    return matched


def _rewards(view: Comparable, methods: Sequence[str]) -> dict[str, float]:
    """By task, the mean over methods of their rewards."""
    of = [view.rewards(method) for method in methods]
    return {id: mean([rewards[id] for rewards in of]) or 0.0 for id in of[0]}
