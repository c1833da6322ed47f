"""Figures of a graph: what is in it, where it comes from, and whether more trajectories would still add to it."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.records.technique import Transition

SEEDS = tuple(range(1, 21))
POINTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvergencePoint:
    """How much of the graph its first trajectories gave, as a mean over shuffled orders."""

    trajectories: int
    techniques: float
    transitions: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStats:
    """What `regrapht graph stats` prints."""

    content_hash: str
    techniques: int
    techniques_used: int
    """Techniques that some trajectory applied."""
    transitions: int
    exemplars: int
    programs: int
    attempts: int
    correct: int
    trajectories: int
    steps: int
    longest_trajectory: int
    trajectories_by_family: Mapping[str, int]
    trajectories_by_source: Mapping[str, int]
    uses_by_technique: Mapping[str, int]
    """Steps of trajectories by technique, the most used first."""
    convergence: tuple[ConvergencePoint, ...]


def stats(graph: TechniqueGraph, *, seeds: Sequence[int] = SEEDS, points: int = POINTS) -> GraphStats:
    """The figures of a graph; `seeds` are those of the shuffled orders that the convergence is a mean of."""
    uses = Counter(slug for path in graph.paths for slug in path.slugs)
    return GraphStats(
        content_hash=graph.content_hash,
        techniques=len(graph.techniques),
        techniques_used=len(uses),
        transitions=len(graph.transitions),
        exemplars=sum(len(exemplars) for exemplars in graph.edges.values()),
        programs=len(graph.programs),
        attempts=sum(outcome.attempts for outcome in graph.all_outcomes),
        correct=sum(outcome.correct for outcome in graph.all_outcomes),
        trajectories=len(graph.paths),
        steps=sum(len(path.slugs) for path in graph.paths),
        longest_trajectory=max((len(path.slugs) for path in graph.paths), default=0),
        trajectories_by_family=_counted(path.family or "none" for path in graph.paths),
        trajectories_by_source=_counted(path.source for path in graph.paths),
        uses_by_technique=_counted(slug for path in graph.paths for slug in path.slugs),
        convergence=convergence(graph.paths, seeds=seeds, points=points),
    )


def convergence(
    paths: Sequence[TechniquePath], *, seeds: Sequence[int], points: int = POINTS
) -> tuple[ConvergencePoint, ...]:
    """Mean numbers of techniques and transitions seen after so many trajectories, over one shuffled order a seed.

    The last point is all of them. Empty without paths or seeds.
    """
    if not paths or not seeds:
        return ()
    stops = sorted({max(1, round(len(paths) * (i + 1) / points)) for i in range(points)})
    sums = {stop: [0, 0] for stop in stops}
    for seed in seeds:
        order = list(paths)
        random.Random(seed).shuffle(order)
        techniques: set[str] = set()
        transitions: set[Transition] = set()
        for count, path in enumerate(order, start=1):
            techniques.update(path.slugs)
            transitions.update(path.transitions)
            if count in sums:
                sums[count][0] += len(techniques)
                sums[count][1] += len(transitions)
    return tuple(
        ConvergencePoint(
            trajectories=stop, techniques=sums[stop][0] / len(seeds), transitions=sums[stop][1] / len(seeds)
        )
        for stop in stops
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    counter = Counter(names)
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
