"""Is the technique that an expert applied next among the first proposed? Leave-one-task-out over the trajectories of a graph.

    python benchmarks/retrieval.py [--graph FILE] [--fit] [--hide-family]
    python benchmarks/retrieval.py --solutions trajectories/cudaeval --tasks src/regrapht/bench/suites/cudaeval

Tasks are split in halves by the hash of their id. Exponents are fitted on the first half (`--fit`) and reported on the second, which
nothing was fitted on. While a task is asked about, everything learnt from it and from its near-duplicates is hidden; with `--hide-family`
its whole family too. With `--solutions` the questions are steps of tasks that no graph was built from, and all of them are reported on.

Compared with popularity (what is applied most often), the bigram of the last technique, and a draw at random. *Area* counts an answer as
found where one of the first five techniques has the answer's area in the vocabulary: another and much easier question. Intervals are of
2000 bootstrap draws of tasks, paired where methods are compared. Prints one JSON line a result.
"""

import argparse
import dataclasses
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from regrapht.assemble import open_graph
from regrapht.graph.next_technique import KINDS, Exponents, NextTechnique, combined
from regrapht.graph.query import Viewer, near_duplicates
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT
from regrapht.tasks.load import load_task

DRAWS = 2000
PLACES = (1, 3, 5, 10)
LENGTH_PENALTY = 0.01


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """One held-out step: the estimates made without its task, and the answer."""

    task: str
    half: int
    is_first: bool
    estimates: dict[str, np.ndarray]
    applied: np.ndarray
    answer: int


@dataclasses.dataclass(frozen=True, slots=True)
class HeldOut:
    """One trajectory to ask about: `programs[i]` is what technique `slugs[i]` was applied to."""

    task: str
    family: str | None
    reference: str
    slugs: tuple[str, ...]
    programs: tuple[str, ...]


def of_graph(graph: TechniqueGraph) -> Iterator[HeldOut]:
    """The experts' paths, as far as the graph holds their programs one after the other."""
    for path in graph.paths:
        if not path.by_expert:
            continue
        own = {
            (e.transition, e.before): e
            for edge in set(path.transitions)
            for e in graph.exemplars(edge)
            if e.provenance == path.provenance and e.task_id == path.task_id
        }
        starts = [e.before for (edge, _), e in own.items() if edge.source == INIT]
        if not starts:
            continue
        programs, at = [], starts[0]
        for edge in path.transitions:
            step = own.get((edge, at))
            if step is None:
                break
            programs.append(graph.programs[at])
            at = step.after
        if programs:
            reference = graph.programs[starts[0]]
            yield HeldOut(path.task_id, path.family, reference, path.slugs[: len(programs)], tuple(programs))


def of_solutions(solutions: Path, tasks: Path, known: set[str]) -> Iterator[HeldOut]:
    """Trajectories outside any corpus: `solutions/<task>/NN_technique.cu`; steps from the first unknown technique on are left out."""
    for file in sorted(tasks.rglob("task.toml")):
        steps = sorted((solutions / file.parent.name).glob("[0-9][0-9]_*.cu"))
        slugs = [step.stem[3:] for step in steps]
        sound = next((i for i, slug in enumerate(slugs) if slug not in known), len(slugs))
        if sound:
            task = load_task(file.parent)
            reference = task.reference.source.text
            texts = [reference, *(step.read_text(encoding="utf-8") for step in steps[: sound - 1])]
            yield HeldOut(task.id, task.family, reference, tuple(slugs[:sound]), tuple(texts))


def questions(graph: TechniqueGraph, held_out: Iterator[HeldOut], *, hide_family: bool) -> list[Question]:
    """Every step of the trajectories held out, asked of the graph without their tasks."""
    slugs = list(graph.techniques)
    models: dict[str, NextTechnique] = {}
    found = []
    for one in held_out:
        if one.task not in models:
            hidden = near_duplicates(graph, one.reference) | {one.task}
            viewer = Viewer(family=one.family, hide_tasks=hidden, hide_family=hide_family)
            models = {one.task: NextTechnique(graph, viewer)}
        half = int(hashlib.sha256(one.task.encode()).hexdigest(), 16) % 2
        for place, (slug, program) in enumerate(zip(one.slugs, one.programs, strict=True)):
            before = one.slugs[:place]
            estimates = dict(models[one.task].estimates(program, one.reference, before))
            applied = np.array([known in before for known in slugs])
            found.append(Question(one.task, half, place == 0, estimates, applied, slugs.index(slug)))
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


def area_recalled(asked: list[Question], exponents: Exponents, areas: np.ndarray) -> np.ndarray:
    """For each question whether one of the first five techniques has the answer's area; ties in the techniques' order."""
    hits = []
    for one in asked:
        first = np.argsort(-combined(one.estimates, exponents, one.applied), kind="stable")[:5]
        hits.append(float(areas[one.answer] in areas[first]))
    return np.array(hits)


def log_likelihood(asked: list[Question], exponents: Exponents) -> float:
    """The mean natural logarithm of the answer's share."""
    return float(np.mean([np.log(combined(q.estimates, exponents, q.applied)[q.answer]) for q in asked]))


def fitted(asked: list[Question]) -> Exponents:
    """The exponents with the largest log-likelihood, less a small pull towards 0, by coordinate search over a grid of steps."""
    best = Exponents()

    def value(exponents: Exponents) -> float:
        size = sum(getattr(exponents, kind) ** 2 for kind in KINDS)
        return log_likelihood(asked, exponents) - LENGTH_PENALTY * size

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


def only(*kinds: str) -> Exponents:
    """These estimates alone; a technique that was applied already is as unlikely as in the default."""
    return Exponents(**{**dict.fromkeys(KINDS, 0.0), **dict.fromkeys(kinds, 1.0)})


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


def report(asked: list[Question], graph: TechniqueGraph, exponents: Exponents) -> None:
    """Print a line for each method."""
    tasks = [q.task for q in asked]
    areas = np.array([technique.area.value for technique in graph.techniques.values()])
    ours = recalled(asked, exponents, 5)
    later = np.array([not q.is_first for q in asked])
    methods = {"all together": exponents, **{kind: only(kind) for kind in KINDS}}
    for name, weights in methods.items():
        hits = recalled(asked, weights, 5)
        line = {
            "method": name,
            "recall at 5": round(float(hits.mean()), 3),
            "interval": interval(hits, tasks),
            "first steps": round(float(hits[~later].mean()), 3),
            "later steps": round(float(hits[later].mean()), 3),
            "later steps at 1, 3, 5, 10": [round(float(recalled(asked, weights, n)[later].mean()), 3) for n in PLACES],
            "area at 5": round(float(area_recalled(asked, weights, areas).mean()), 3),
            "area at 5, later steps": round(float(area_recalled(asked, weights, areas)[later].mean()), 3),
            "log-likelihood": round(log_likelihood(asked, weights), 3),
            "ours above it": interval(ours - hits, tasks),
        }
        print(json.dumps(line), flush=True)
    print(json.dumps({"method": "random", "recall at 5": round(5 / len(graph.techniques), 3)}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", type=Path, help="default: the shipped graph")
    parser.add_argument("--fit", action="store_true", help="fit the exponents on the first half; else those that ship")
    parser.add_argument("--hide-family", action="store_true")
    parser.add_argument("--solutions", type=Path, help="ask about these trajectories in place of the graph's own")
    parser.add_argument("--tasks", type=Path, help="the folder with the tasks of --solutions")
    chosen = parser.parse_args()
    if (chosen.solutions is None) != (chosen.tasks is None) or (chosen.fit and chosen.solutions):
        parser.error("--solutions and --tasks go together, and without --fit")
    graph = open_graph(chosen.graph)
    if chosen.solutions:
        held_out = of_solutions(chosen.solutions, chosen.tasks, set(graph.techniques))
    else:
        held_out = iter(sorted(of_graph(graph), key=lambda one: one.task))
    asked = questions(graph, held_out, hide_family=chosen.hide_family)
    fit_on = [q for q in asked if q.half == 0]
    report_on = asked if chosen.solutions else [q for q in asked if q.half == 1]
    exponents = fitted(fit_on) if chosen.fit else Exponents()
    tasks = len({q.task for q in report_on})
    print(json.dumps({"graph": graph.content_hash, "steps": len(asked), "reported on": len(report_on), "tasks": tasks}))
    print(json.dumps({"exponents": dataclasses.asdict(exponents), "fitted now": chosen.fit}))
    report(report_on, graph, exponents)
    return 0


if __name__ == "__main__":
    sys.exit(main())
