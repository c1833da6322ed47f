"""The prior of the searches, fitted: exponents of success, gain and frequency, and the applied set against the bigram.

    python benchmarks/fit_prior.py [--graph FILE]

For every step of every expert's path, with its task left out, the prior gives each technique a share; reported is the mean natural
logarithm of the share of the technique that the expert applied next. Fitted by leave-one-task-out on the first half of the tasks (by hash
of the id), reported on the second. The form is that of `search/prior.py`:

    w(t) = success(t)^a * max(gain(t), smallest)^b * frequency(t)^c, times `repeat` where t was applied already
    P(t) = (1 - u) * w(t) / sum of w + u / number of techniques

First steps are left out: there a search has asked for a first program, and chooses nothing. Gains are those measured on a GPU, first steps,
whose time before is a CPU's, left out of them too. Prints one JSON line a row of the table in docs/graph-and-search.md.
"""

import argparse
import hashlib
import itertools
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regrapht.assemble import open_graph
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT

BACK_OFF, USUAL_SUCCESS, SMALLEST = 3.0, 0.85, 0.02
KERNELS = ("popularity", "bigram", "set", "set squared", "set to the fourth")
POWER = {"set": 1, "set squared": 2, "set to the fourth": 4}
GRID = (0.0, 0.25, 0.5, 0.8, 1.0, 1.25, 1.5)
UNIFORM = (0.05, 0.1, 0.15, 0.25)
REPEAT = (0.05, 0.1, 0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Case:
    """One held-out step: what the rest of the graph says of every technique, and the answer."""

    task: str
    success: np.ndarray
    gain: np.ndarray
    frequency: dict[str, np.ndarray]
    applied: np.ndarray
    answer: int


class Evidence:
    """The experts' steps as arrays, for leaving tasks out quickly."""

    def __init__(self, graph: TechniqueGraph) -> None:
        self.slugs = list(graph.techniques)
        column = {slug: place for place, slug in enumerate(self.slugs)}
        steps = [
            (path, place, edge) for path in graph.paths if path.by_expert for place, edge in enumerate(path.transitions)
        ]
        self.task = np.array([path.task_id for path, _, _ in steps])
        self.family = np.array([path.family or "" for path, _, _ in steps])
        self.target = np.array([column[edge.target] for *_, edge in steps])
        self.last = np.array([edge.source for *_, edge in steps])
        self.sets = np.zeros((len(steps), len(self.slugs)))
        self.gain = np.full(len(steps), np.nan)
        for row, (path, place, edge) in enumerate(steps):
            self.sets[row, [column[slug] for slug in path.slugs[:place]]] = 1
            if path.speedups is not None and path.speedups[place] is not None and edge.source != INIT:
                self.gain[row] = math.log2(path.speedups[place] or 1.0)
        self.outcomes = [(column[o.transition.target], o.task_id, o.attempts, o.correct) for o in graph.all_outcomes]

    def case(self, row: int) -> Case:
        """The step `row` as seen without its task."""
        seen = self.task != self.task[row]
        mine = self.sets[row]
        shared = self.sets @ mine
        alike = (shared + 1) / (self.sets.sum(axis=1) + mine.sum() - shared + 1)
        in_family = (self.family == self.family[row]).astype(float)
        same_last = (self.last == self.last[row]).astype(float)
        kernels = {"popularity": np.ones(len(self.task)), "bigram": same_last}
        kernels.update({name: alike**power for name, power in POWER.items()})
        return Case(
            task=str(self.task[row]),
            success=self._success(str(self.task[row])),
            gain=self._gain(seen, alike, in_family),
            frequency={name: self._frequency(seen * kernel, seen, in_family) for name, kernel in kernels.items()},
            applied=mine.astype(bool),
            answer=int(self.target[row]),
        )

    def _counts(self, weights: np.ndarray) -> np.ndarray:
        return np.bincount(self.target, weights=weights, minlength=len(self.slugs))

    def _frequency(self, weights: np.ndarray, seen: np.ndarray, in_family: np.ndarray) -> np.ndarray:
        """The family backed off to all, and all to how often a technique is applied at all."""
        popular = (self._counts(seen.astype(float)) + 1 / len(self.slugs)) / (seen.sum() + 1)
        everywhere = (self._counts(weights) + BACK_OFF * popular) / (weights.sum() + BACK_OFF)
        family = self._counts(weights * in_family)
        return (family + BACK_OFF * everywhere) / (family.sum() + BACK_OFF)

    def _gain(self, seen: np.ndarray, alike: np.ndarray, in_family: np.ndarray) -> np.ndarray:
        timed = seen & np.isfinite(self.gain)
        gain = np.where(timed, self.gain, 0.0)
        if not timed.any():
            return np.ones(len(self.slugs))
        found: np.ndarray | float = float(gain[timed].mean())
        for weights in (timed.astype(float), timed * alike, timed * alike * in_family):
            found = (self._counts(weights * gain) + BACK_OFF * found) / (self._counts(weights) + BACK_OFF)
        return np.maximum(found, SMALLEST)

    def _success(self, task: str) -> np.ndarray:
        tries, right = np.zeros(len(self.slugs)), np.zeros(len(self.slugs))
        for column, of_task, attempts, correct in self.outcomes:
            if of_task != task:
                tries[column] += attempts
                right[column] += correct
        return (right + BACK_OFF * USUAL_SUCCESS) / (tries + BACK_OFF)


class Stacked:
    """Cases as matrices, so that a grid of settings is quick."""

    def __init__(self, cases: list[Case]) -> None:
        self.success = np.log(np.stack([case.success for case in cases]))
        self.gain = np.log(np.stack([case.gain for case in cases]))
        self.frequency = {k: np.log(np.stack([case.frequency[k] for case in cases])) for k in KERNELS}
        self.applied = np.stack([case.applied for case in cases])
        self.answer = np.array([case.answer for case in cases])

    def score(self, kernel: str, a: float, b: float, c: float, uniform: float, repeat: float) -> tuple[float, float]:
        """Mean log-likelihood of the answers, and the share of them among the first five."""
        weights = np.exp(a * self.success + b * self.gain + c * self.frequency[kernel])
        weights = weights * np.where(self.applied, repeat, 1.0)
        shares = (1 - uniform) * weights / weights.sum(axis=1, keepdims=True) + uniform / weights.shape[1]
        own = shares[np.arange(len(self.answer)), self.answer]
        better = (shares > own[:, None] + 1e-12).sum(axis=1)
        ties = (np.abs(shares - own[:, None]) <= 1e-12).sum(axis=1)
        recalled = np.clip((5 - better) / ties, 0, 1)
        return float(np.log(own).mean()), float(recalled.mean())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", type=Path, help="default: the shipped graph")
    graph = open_graph(parser.parse_args().graph)
    evidence = Evidence(graph)
    rows = [row for row in range(len(evidence.task)) if evidence.last[row] != INIT]
    cases = [evidence.case(row) for row in rows]
    half = [int(hashlib.sha256(case.task.encode()).hexdigest(), 16) % 2 for case in cases]
    fit = Stacked([case for case, side in zip(cases, half, strict=True) if side == 0])
    report = Stacked([case for case, side in zip(cases, half, strict=True) if side == 1])
    print(json.dumps({"graph": graph.content_hash, "fitted on": half.count(0), "reported on": half.count(1)}))
    for kernel in KERNELS:
        settings = itertools.product((0.0, 0.5, 1.0), GRID[:4], GRID, UNIFORM, REPEAT)
        best = max(settings, key=lambda one: fit.score(kernel, *one)[0])
        print_row(kernel, "fitted", best, fit, report)
        print_row(kernel, "one exponent of 0.8, as in search/prior.py", (0.8, 0.8, 0.8, 0.15, 0.25), fit, report)
        print_row(kernel, "frequency alone", (0.0, 0.0, 1.0, 0.15, 0.25), fit, report)
    print_row("popularity", "uniform", (0.0, 0.0, 0.0, 0.15, 1.0), fit, report)
    return 0


def print_row(kernel: str, what: str, setting: tuple[float, ...], fit: Stacked, report: Stacked) -> None:
    """One row of the table."""
    names = ("success", "gain", "frequency", "uniform", "repeat")
    likelihood, recall = report.score(kernel, *setting)
    row = {
        "given": kernel,
        "setting": what,
        **dict(zip(names, setting, strict=True)),
        "log-likelihood, first half": round(fit.score(kernel, *setting)[0], 3),
        "log-likelihood, second half": round(likelihood, 3),
        "among the first 5": round(recall, 3),
    }
    print(json.dumps(row), flush=True)


if __name__ == "__main__":
    sys.exit(main())
