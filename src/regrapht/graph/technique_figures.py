"""What the graph knows of each technique, for a person: support, success and gain."""

from collections import Counter
from dataclasses import dataclass

from regrapht.graph.outcomes import rates
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT


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
