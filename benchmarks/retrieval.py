"""Is the technique that an expert applied next among the first proposed? Leave-one-task-out over the trajectories of a graph.

    python benchmarks/retrieval.py [--graph FILE] [--fit] [--proposed 5] [--hide-family]

Tasks are split in halves by the hash of their id. Exponents are fitted on the first half (`--fit`) and reported on the second, which
nothing was fitted on. While a task is asked about, everything learnt from it and from its near-duplicates is hidden; with `--hide-family`
its whole family too. Compared with popularity (what is applied most often), the bigram of the last technique, and a draw at random.
Intervals are of 2000 bootstrap draws of tasks, paired where methods are compared. Prints one JSON line a result.
"""

import argparse
import dataclasses
import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from regrapht.assemble import open_graph
from regrapht.graph.next_technique import KINDS, Exponents, NextTechnique, combined
from regrapht.graph.query import Viewer, near_duplicates
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT

DRAWS = 2000


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """One held-out step: the estimates made without its task, and the answer."""

    task: str
    half: int
    is_first: bool
    estimates: dict[str, np.ndarray]
    applied: np.ndarray
    answer: int


def questions(graph: TechniqueGraph, *, hide_family: bool) -> list[Question]:
    """Every step of the experts' paths whose programs the graph holds."""
    slugs = list(graph.techniques)
    by_task: dict[str, list] = {}
    for path in graph.paths:
        if path.by_expert:
            by_task.setdefault(path.task_id, []).append(path)
    found = []
    for task, paths in by_task.items():
        first = next((e for edge in graph.successors(INIT) for e in graph.exemplars(edge) if e.task_id == task), None)
        if first is None:
            continue
        reference = graph.programs[first.before]
        hidden = near_duplicates(graph, reference) | {task}
        viewer = Viewer(family=paths[0].family, hide_tasks=hidden, hide_family=hide_family)
        model = NextTechnique(graph, viewer)
        half = int(hashlib.sha256(task.encode()).hexdigest(), 16) % 2
        for path in paths:
            own = {
                (e.transition, e.before): e
                for edge in set(path.transitions)
                for e in graph.exemplars(edge)
                if e.provenance == path.provenance and e.task_id == task
            }
            program = first.before
            for place, edge in enumerate(path.transitions):
                step = own.get((edge, program))
                if step is None:
                    break
                before = path.slugs[:place]
                applied = np.array([slug in before for slug in slugs])
                estimates = dict(model.estimates(graph.programs[program], reference, before))
                found.append(Question(task, half, place == 0, estimates, applied, slugs.index(edge.target)))
                program = step.after
    return found


def recalled(asked: list[Question], exponents: Exponents, proposed: int) -> np.ndarray:
    """For each question whether the answer is among the first; ties count by their expected place."""
    hits = []
    for one in asked:
        shares = combined(one.estimates, exponents, one.applied)
        better = (shares > shares[one.answer] + 1e-12).sum()
        ties = (np.abs(shares - shares[one.answer]) <= 1e-12).sum()
        hits.append(min(1.0, max(0.0, (proposed - better) / ties)))
    return np.array(hits)


def log_likelihood(asked: list[Question], exponents: Exponents) -> float:
    """The mean natural logarithm of the answer's share."""
    return float(np.mean([np.log(combined(q.estimates, exponents, q.applied)[q.answer]) for q in asked]))


def fitted(asked: list[Question]) -> Exponents:
    """The exponents with the largest log-likelihood, less a small pull towards 0, by coordinate search over a grid of steps."""
    best = Exponents()

    def value(exponents: Exponents) -> float:
        size = sum(getattr(exponents, kind) ** 2 for kind in KINDS)
        return log_likelihood(asked, exponents) - 0.01 * size

    score = value(best)
    for step in (0.4, 0.2, 0.1, 0.05):
        moved = True
        while moved:
            moved = False
            for name in (*KINDS, "repeat"):
                for change in (-step, step):
                    low = 0.01 if name == "repeat" else 0.0
                    number = round(min(2.0, max(low, getattr(best, name) + change)), 3)
                    trial = dataclasses.replace(best, **{name: number})
                    if (found := value(trial)) > score + 1e-6:
                        best, score, moved = trial, found, True
    return best


def only(kind: str) -> Exponents:
    """One estimate alone; a technique that was applied already is as unlikely as in the default."""
    return Exponents(**{**dict.fromkeys(KINDS, 0.0), kind: 1.0})


def interval(values: np.ndarray, tasks: list[str]) -> list[float]:
    """The 95 % interval of the mean, by drawing tasks."""
    chance = np.random.default_rng(1)
    names = sorted(set(tasks))
    of_task = [np.flatnonzero(np.array(tasks) == name) for name in names]
    means = []
    for _ in range(DRAWS):
        drawn = np.concatenate([of_task[i] for i in chance.integers(len(names), size=len(names))])
        means.append(values[drawn].mean())
    return [round(float(edge), 3) for edge in np.percentile(means, [2.5, 97.5])]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", type=Path, help="default: the shipped graph")
    parser.add_argument("--fit", action="store_true", help="fit the exponents on the first half; else those that ship")
    parser.add_argument("--proposed", type=int, default=5)
    parser.add_argument("--hide-family", action="store_true")
    chosen = parser.parse_args()
    graph = open_graph(chosen.graph)
    asked = questions(graph, hide_family=chosen.hide_family)
    fit_on, report_on = [q for q in asked if q.half == 0], [q for q in asked if q.half == 1]
    exponents = fitted(fit_on) if chosen.fit else Exponents()
    tasks = [q.task for q in report_on]
    print(json.dumps({"graph": graph.content_hash, "steps": len(asked), "reported on": len(report_on)}))
    print(json.dumps({"exponents": dataclasses.asdict(exponents), "fitted now": chosen.fit}))
    ours = recalled(report_on, exponents, chosen.proposed)
    later = np.array([not q.is_first for q in report_on])
    methods = {"all together": exponents, **{kind: only(kind) for kind in KINDS}}
    for name, weights in methods.items():
        hits = recalled(report_on, weights, chosen.proposed)
        line = {
            "method": name,
            f"recall at {chosen.proposed}": round(float(hits.mean()), 3),
            "interval": interval(hits, tasks),
            "first steps": round(float(hits[~later].mean()), 3),
            "later steps": round(float(hits[later].mean()), 3),
            "log-likelihood": round(log_likelihood(report_on, weights), 3),
            "ours above it": interval(ours - hits, tasks),
        }
        print(json.dumps(line), flush=True)
    random_recall = chosen.proposed / len(graph.techniques)
    print(json.dumps({"method": "random", f"recall at {chosen.proposed}": round(random_recall, 3)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
