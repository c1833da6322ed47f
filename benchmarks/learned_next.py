"""Would a learned ranker foresee the next technique better? Logistic regression over techniques, on what a search knows of its program.

    python benchmarks/learned_next.py [--other-tasks 0 63 126 253]

Features: the traits and counts of `graph.access_traits` and `graph.code_features`, of the program and of the sequential one; what was
applied, the last of it, how much; the family. Learnt from later steps of the graph's trajectories (first ones are nearly certain), with
the strength of its penalty chosen there, by folds of tasks. Asked of later steps of CUDAEval's tasks, without the sixty of
`cudaeval_60.txt`, whose experiments would be tuned on otherwise. *With ours* multiplies its shares with the root of those that ship.

*Other tasks too* adds the trajectories of CUDAEval's tasks outside of the fold that is asked about, some or all: what more trajectories by
the habits of these would give. No graph may learn from them, since they are the answers of the benchmark. *One that follows* is whether
one of the five is applied at all from there on. Intervals are 95 % by drawing tasks; takes five minutes. Prints one JSON line a row.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from retrieval import HeldOut, interval, of_graph, of_solutions

from regrapht.assemble import open_graph
from regrapht.graph.access_traits import access_traits
from regrapht.graph.code_features import code_features
from regrapht.graph.next_technique import NextTechnique
from regrapht.graph.query import Viewer, near_duplicates
from regrapht.graph.technique_graph import TechniqueGraph

ROOT = Path(__file__).resolve().parents[1]
FOLDS = 10
PENALTIES = (10.0, 30.0, 100.0)
STEPS = 150
"""Of the fitting, which is convex: the loss is at its end by then."""


@dataclass(frozen=True, slots=True)
class Later:
    """A later step that is learnt from or asked about."""

    task: str
    family: str
    program: str
    reference: str
    future: tuple[str, ...]
    """The technique applied next, and those after it."""
    applied: tuple[str, ...]

    def fold(self, count: int) -> int:
        """Of its task."""
        return int(hashlib.sha256(self.task.encode()).hexdigest(), 16) % count


def later_steps(held: Sequence[HeldOut]) -> list[Later]:
    """All steps but the first ones."""
    return [
        Later(one.task, one.family or "", program, one.reference, one.slugs[place:], one.slugs[:place])
        for one in held
        for place, program in enumerate(one.programs)
        if place
    ]


def features(steps: Sequence[Later], slugs: Sequence[str], families: Sequence[str]) -> np.ndarray:
    """One row a step."""
    column = {slug: place for place, slug in enumerate(slugs)}
    rows = []
    for step in steps:
        applied, last = np.zeros(len(slugs)), np.zeros(len(slugs))
        applied[[column[slug] for slug in step.applied]] = 1
        last[column[step.applied[-1]]] = 1
        read = [look(text) for text in (step.program, step.reference) for look in (access_traits, code_features)]
        rest = [float(len(step.applied)), *(float(family == step.family) for family in families)]
        rows.append(np.concatenate([*read, applied, last, rest]))
    return np.array(rows)


def learnt(rows: np.ndarray, answers: np.ndarray, count: int, penalty: float) -> Callable[[np.ndarray], np.ndarray]:
    """Multinomial logistic regression by accelerated descent; gives the logarithm of each technique's share."""
    middle, unit = rows.mean(axis=0), rows.std(axis=0) + 0.3

    def ready(raw: np.ndarray) -> np.ndarray:
        return np.hstack([(raw - middle) / unit, np.ones((len(raw), 1))])

    known, wanted = ready(rows), np.eye(count)[answers]
    longest = 0.5 * np.linalg.norm(known, 2) ** 2 + penalty
    weights = ahead = np.zeros((known.shape[1], count))
    for step in range(STEPS):
        slope = known.T @ (np.exp(_log_shares(known @ ahead)) - wanted) + penalty * ahead
        new = ahead - slope / longest
        ahead, weights = new + step / (step + 3) * (new - weights), new
    return lambda raw: _log_shares(ready(raw) @ weights)


def _log_shares(scores: np.ndarray) -> np.ndarray:
    found: np.ndarray = scores - scores.max(axis=1, keepdims=True)
    return found - np.log(np.exp(found).sum(axis=1, keepdims=True))


class Study:
    """The steps, their features, and what ships says of those that are asked about."""

    def __init__(self, graph: TechniqueGraph, corpus: list[Later], asked: list[Later]) -> None:
        self.slugs = list(graph.techniques)
        self.corpus, self.asked = corpus, asked
        families = sorted({step.family for step in [*corpus, *asked]})
        self.rows = features(corpus, self.slugs, families)
        self.asked_rows = features(asked, self.slugs, families)
        self.answers = np.array([self.slugs.index(step.future[0]) for step in corpus])
        self.asked_answers = np.array([self.slugs.index(step.future[0]) for step in asked])
        self.tasks = [step.task for step in asked]
        self._models: dict[str, NextTechnique] = {}
        self.ours = np.log(np.array([self._shipped(graph, step) for step in asked]))
        self.base = self._hits(self.ours)

    def _shipped(self, graph: TechniqueGraph, step: Later) -> list[float]:
        if step.task not in self._models:
            viewer = Viewer(family=step.family, hide_tasks=near_duplicates(graph, step.reference))
            self._models = {step.task: NextTechnique(graph, viewer)}
        shares = self._models[step.task].shares(step.program, step.reference, step.applied)
        return [shares[slug] + 1e-9 for slug in self.slugs]

    def _hits(self, scores: np.ndarray, proposed: int = 5) -> np.ndarray:
        first = np.argsort(-scores, axis=1, kind="stable")[:, :proposed]
        return (first == self.asked_answers[:, None]).any(axis=1).astype(float)

    def _follows(self, scores: np.ndarray) -> float:
        first = np.argsort(-scores, axis=1, kind="stable")[:, :5]
        hits = [any(self.slugs[i] in step.future for i in row) for row, step in zip(first, self.asked, strict=True)]
        return round(float(np.mean(hits)), 3)

    def tell(self, name: str, scores: np.ndarray, learnt_from: float) -> None:
        """Print a row."""
        hits = self._hits(scores)
        line = {
            "ranker": name,
            "steps learnt from": round(learnt_from),
            "recall at 5": round(float(hits.mean()), 3),
            "interval": interval(hits, self.tasks),
            "minus ours": interval(hits - self.base, self.tasks),
            "at 1, 3, 10": [round(float(self._hits(scores, n).mean()), 3) for n in (1, 3, 10)],
            "one that follows": self._follows(scores),
        }
        print(json.dumps(line), flush=True)

    def penalty(self) -> float:
        """The one whose shares are the likeliest on the corpus, by folds of its tasks."""
        folds = np.array([step.fold(5) for step in self.corpus])

        def loss(penalty: float) -> float:
            total = 0.0
            for fold in range(5):
                inside, out = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
                model = learnt(self.rows[inside], self.answers[inside], len(self.slugs), penalty)
                total -= model(self.rows[out])[np.arange(len(out)), self.answers[out]].sum()
            return total

        return min(PENALTIES, key=loss)

    def by_folds(self, penalty: float, *, tasks: int, corpus: bool = True) -> tuple[np.ndarray, float]:
        """Scores of steps by what was learnt from the corpus and from so many tasks in all, none in their fold; and from how many steps."""
        kept = set(sorted(set(self.tasks), key=lambda task: hashlib.sha256(task.encode()).digest())[:tasks])
        folds = np.array([step.fold(FOLDS) for step in self.asked])
        more = np.array([step.task in kept for step in self.asked])
        scores, learnt_from = np.zeros_like(self.ours), 0.0
        for fold in range(FOLDS):
            others, here = more & (folds != fold), folds == fold
            rows = [self.rows[: len(self.rows) * corpus], self.asked_rows[others]]
            answers = [self.answers[: len(self.answers) * corpus], self.asked_answers[others]]
            model = learnt(np.vstack(rows), np.concatenate(answers), len(self.slugs), penalty)
            scores[here] = model(self.asked_rows[here])
            learnt_from += sum(map(len, answers)) / FOLDS
        return scores, learnt_from

    def without_family(self, penalty: float) -> tuple[np.ndarray, float]:
        """Scores by what was learnt from the corpus without the family of the step."""
        known, asked = (np.array([step.family for step in steps]) for steps in (self.corpus, self.asked))
        scores, learnt_from = np.zeros_like(self.ours), 0.0
        for family in sorted(set(asked)):
            inside, here = known != family, asked == family
            model = learnt(self.rows[inside], self.answers[inside], len(self.slugs), penalty)
            scores[here] = model(self.asked_rows[here])
            learnt_from += inside.sum() * here.sum() / len(asked)
        return scores, learnt_from


def popularity(study: Study) -> np.ndarray:
    """How often a technique is applied in the corpus, the same for every step."""
    counts = np.bincount(study.answers, minlength=len(study.slugs))
    return np.tile(counts.astype(float), (len(study.asked), 1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--other-tasks", type=int, nargs="*", default=[0, 63, 126, 253])
    chosen = parser.parse_args()
    graph = open_graph(None)
    lines = (ROOT / "benchmarks/cudaeval_60.txt").read_text().splitlines()
    experiments = {line.partition("#")[0].strip() for line in lines}
    solutions = of_solutions(
        ROOT / "trajectories/cudaeval", ROOT / "src/regrapht/bench/suites/cudaeval", set(graph.techniques)
    )
    asked = later_steps([one for one in solutions if one.task not in experiments])
    study = Study(graph, later_steps(sorted(of_graph(graph), key=lambda one: one.task)), asked)
    penalty = study.penalty()
    told = {"graph": graph.content_hash, "tasks": len(set(study.tasks)), "later steps": len(asked), "penalty": penalty}
    print(json.dumps(told), flush=True)
    study.tell("ours", study.ours, len(study.corpus))
    study.tell("popularity", popularity(study), len(study.corpus))
    rows = {"family hidden": study.without_family(penalty)}
    for tasks in chosen.other_tasks:
        rows[f"with {tasks} other tasks too" if tasks else "regression"] = study.by_folds(penalty, tasks=tasks)
    rows["other tasks alone"] = study.by_folds(penalty, tasks=len(set(study.tasks)), corpus=False)
    for name, (scores, learnt_from) in rows.items():
        study.tell(name, scores, learnt_from)
        study.tell(f"{name}, with ours", scores + 0.5 * study.ours, learnt_from)
    return 0


if __name__ == "__main__":
    sys.exit(main())
