"""Figures of a graph: what is in it, as a whole and by technique, where it comes from, and whether more trajectories would still add."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from regrapht.graph.outcomes import rates
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.records.technique import INIT, Transition

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


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniqueFigures:
    """One technique's figures over all families, devices and proposers."""

    slug: str
    title: str
    area: str
    support: int
    """Verified applications: steps of trajectories."""
    tasks: int
    """Tasks among these."""
    as_first: int
    """Of the applications, those to the sequential program."""
    attempts: int
    success: float | None
    """Share of attempts that were correct; None without attempts."""
    measured: int
    """Attempts on a CUDA program that were timed on a GPU."""
    gain: float | None
    """Geometric mean of time before / time after over these; None without any. First steps are left out: their time before is a CPU's."""


def technique_figures(graph: TechniqueGraph) -> tuple[TechniqueFigures, ...]:
    """The figures of every technique, the most supported first."""
    support: Counter[str] = Counter()
    first: Counter[str] = Counter()
    tasks: dict[str, set[str]] = {}
    for path in graph.paths:
        support.update(path.slugs)
        first[path.slugs[0]] += 1
        for slug in path.slugs:
            tasks.setdefault(slug, set()).add(path.task_id)
    found = []
    for slug, technique in graph.techniques.items():
        outcomes = graph.outcomes(target=slug)
        overall = rates(outcomes)
        later = rates(outcome for outcome in outcomes if outcome.transition.source != INIT)
        found.append(
            TechniqueFigures(
                slug=slug,
                title=technique.title,
                area=technique.area.value,
                support=support[slug],
                tasks=len(tasks.get(slug, ())),
                as_first=first[slug],
                attempts=overall.attempts,
                success=overall.correct_share,
                measured=sum(outcome.gain_count for outcome in outcomes if outcome.transition.source != INIT),
                gain=None if later.gain_log2_mean is None else 2.0**later.gain_log2_mean,
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.support, one.slug)))
