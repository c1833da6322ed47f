"""What the graph says about a technique once a given *set* of techniques has been applied: success, expected gain, the expert's choice.

The graph of ReGraphT is a bigram over techniques. Here every step of an expert's path is a sample "these were applied, then this one", and
samples count by how alike their set is to the candidate's. A task's own family counts first and is backed off to all families. What may
not be seen, the task itself and on request its family, is left out before anything is counted.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regrapht.records.technique import INIT
from regrapht.search.context import SearchContext

BACK_OFF = 3.0
"""Samples that an estimate from further away counts as."""
USUAL_SUCCESS = 0.85
"""Share of attempts taken to succeed before any outcome is known."""
USUAL_GAIN = 0.5
"""Gain in doublings, taken where the graph holds no measured gain at all."""
OTHER_DEVICE = 0.3
"""Weight of a gain measured on another architecture than the one that judges."""

REMEMBERED = 256
"""Sets of techniques whose estimates are kept at hand; a run meets many more, most of them once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """Estimates for one technique at one set of applied techniques."""

    success: float
    """Share of attempts that built and were correct, 0 to 1."""
    gain: float
    """Expected gain in doublings; may be negative."""
    frequency: float
    """How often the expert chose it next, 0 to 1; sums to at most 1 over techniques."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One thing that was seen: `target` applied after `before`."""

    before: frozenset[str]
    target: str
    in_family: bool
    gain: float | None
    weight: float
    is_choice: bool
    """An expert's choice; False for an outcome, which says what was tried but not what was preferred."""


class GraphEvidence:
    """The graph as one searched task may see it, ready for questions about any set of techniques."""

    def __init__(self, context: SearchContext) -> None:
        self._slugs = tuple(context.graph.techniques)
        self._column = {slug: i for i, slug in enumerate(self._slugs)}
        steps = [*_chosen(context), *_measured(context)]
        self._before = np.zeros((len(steps), len(self._slugs)))
        for row, step in enumerate(steps):
            self._before[row, [self._column[slug] for slug in step.before]] = 1
        self._target = np.array([self._column[step.target] for step in steps], dtype=int)
        self._chosen = np.array([step.weight if step.is_choice else 0.0 for step in steps])
        self._gain = np.array([step.gain or 0.0 for step in steps])
        self._timed = np.array([step.weight if step.gain is not None else 0.0 for step in steps])
        self._family = np.array([float(step.in_family) for step in steps])
        self._success = _success(context)
        self._answers: dict[frozenset[str], dict[str, Expectation]] = {}

    def expectations(self, applied: frozenset[str]) -> dict[str, Expectation]:
        """The estimates for every technique of the graph, by slug, at a program with these techniques applied."""
        applied = applied.intersection(self._column)
        if applied not in self._answers:
            if len(self._answers) >= REMEMBERED:
                del self._answers[next(iter(self._answers))]
            self._answers[applied] = self._estimate(applied)
        return self._answers[applied]

    def _estimate(self, applied: frozenset[str]) -> dict[str, Expectation]:
        alike = self._alikeness(applied)
        gains, frequencies = self._gains(alike), self._frequencies(alike)
        return {
            slug: Expectation(success=self._success[slug], gain=float(gain), frequency=float(frequency))
            for slug, gain, frequency in zip(self._slugs, gains, frequencies, strict=True)
        }

    def _alikeness(self, applied: frozenset[str]) -> np.ndarray:
        """For each step, (shared + 1) / (united + 1) of its set and this one: 1 for equal sets, also for two empty ones."""
        mine = np.zeros(len(self._slugs))
        mine[[self._column[slug] for slug in applied]] = 1
        shared = self._before @ mine
        united = self._before.sum(axis=1) + mine.sum() - shared
        return (shared + 1) / (united + 1)

    def _frequencies(self, alike: np.ndarray) -> np.ndarray:
        weights = alike * self._chosen
        everywhere = self._by_target(weights) / max(weights.sum(), 1e-9)
        family = self._by_target(weights * self._family)
        return (family + BACK_OFF * everywhere) / (family.sum() + BACK_OFF)

    def _gains(self, alike: np.ndarray) -> np.ndarray:
        """Shrunk means: technique in this family and set, towards technique in any, towards the mean of all techniques."""
        if not self._timed.any():
            return np.full(len(self._slugs), USUAL_GAIN)
        usual = np.average(self._gain, weights=self._timed)
        everywhere = self._shrunk(self._timed, usual)
        alike_sets = self._shrunk(self._timed * alike, everywhere)
        return self._shrunk(self._timed * alike * self._family, alike_sets)

    def _shrunk(self, weights: np.ndarray, towards: np.ndarray | float) -> np.ndarray:
        return (self._by_target(weights * self._gain) + BACK_OFF * towards) / (self._by_target(weights) + BACK_OFF)

    def _by_target(self, weights: np.ndarray) -> np.ndarray:
        return np.bincount(self._target, weights=weights, minlength=len(self._slugs))


def _chosen(context: SearchContext) -> Iterator[_Step]:
    for path in context.graph.paths:
        if _is_hidden(context, path.family, path.task_id):
            continue
        for i, slug in enumerate(path.slugs):
            speedup = path.speedups[i] if path.speedups is not None else None
            yield _Step(
                before=frozenset(path.slugs[:i]),
                target=slug,
                in_family=path.family is not None and path.family == context.family,
                gain=math.log2(speedup) if speedup is not None else None,
                weight=1.0,
                is_choice=path.by_expert,
            )


def _measured(context: SearchContext) -> Iterator[_Step]:
    """Gains kept by transition. One that a path holds too counts twice: surer by a sample, and no different in value."""
    for outcome in context.graph.outcomes():
        if outcome.gain_count and not _is_hidden(context, outcome.family, outcome.task_id):
            source = outcome.transition.source
            before = outcome.applied if outcome.applied is not None else () if source == INIT else (source,)
            yield _Step(
                before=frozenset(before),
                target=outcome.transition.target,
                in_family=outcome.family is not None and outcome.family == context.family,
                gain=outcome.gain_mean,
                weight=outcome.gain_count * (1.0 if outcome.device == context.device else OTHER_DEVICE),
                is_choice=False,
            )


def _success(context: SearchContext) -> dict[str, float]:
    """By technique: correct attempts of this kind of proposer, backed off to all proposers, and these to what is usual."""
    attempts = dict.fromkeys(context.graph.techniques, 0)
    correct, own_attempts, own_correct = dict(attempts), dict(attempts), dict(attempts)
    for outcome in context.graph.outcomes():
        if _is_hidden(context, outcome.family, outcome.task_id):
            continue
        slug = outcome.transition.target
        attempts[slug] += outcome.attempts
        correct[slug] += outcome.correct
        if outcome.proposer == context.proposer:
            own_attempts[slug] += outcome.attempts
            own_correct[slug] += outcome.correct
    shares = {}
    for slug in attempts:
        of_all = (correct[slug] + BACK_OFF * USUAL_SUCCESS) / (attempts[slug] + BACK_OFF)
        shares[slug] = (own_correct[slug] + BACK_OFF * of_all) / (own_attempts[slug] + BACK_OFF)
    return shares


def _is_hidden(context: SearchContext, family: str | None, task_id: str | None) -> bool:
    """Outcomes that are summed over tasks have no task: a hidden family can be left out of them, a single task cannot."""
    if task_id is not None and task_id in context.viewer.hide_tasks:
        return True
    return family is not None and family == context.hidden_family
