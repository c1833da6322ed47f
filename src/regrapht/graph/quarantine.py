"""Taking out of a graph what one run, one task or one trajectory brought in, once it turns out not to deserve trust."""

from dataclasses import dataclass

from regrapht.errors import ConfigError
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import Transition


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """What a quarantine took out."""

    exemplars: tuple[str, ...]
    """As `provenance: transition`."""
    paths: tuple[str, ...]
    outcomes: int
    transitions: tuple[Transition, ...]
    """Edges that nothing else shows."""
    programs: int


def comes_from(provenance: str, origin: str) -> bool:
    """Whether `provenance` is `origin` or lies under it: `run/task/name` comes from `run`, from `run/task` and from itself."""
    return provenance == origin or provenance.startswith(origin + "/")


def quarantined(graph: TechniqueGraph, origin: str) -> tuple[TechniqueGraph, Removed]:
    """The graph as if nothing under `origin` had ever been learnt, and what that took out. Techniques stay.

    The result is the graph that a build without those trajectories gives.

    Raises:
        ConfigError: Nothing in the graph comes from there, so a name was mistyped, or the graph is of another corpus.
    """
    builder = GraphBuilder(graph.techniques.values())
    exemplars = []
    for edge, found in graph.edges.items():
        if not found and not _steps_elsewhere(graph, edge):
            builder.add_transition(edge)  # an edge that neither an exemplar nor a path shows was given as it is
        for exemplar in found:
            if comes_from(exemplar.provenance, origin):
                exemplars.append(f"{exemplar.provenance}: {edge}")
            else:
                programs = (graph.programs[exemplar.before], graph.programs[exemplar.after])
                builder.add_transition(edge, exemplar=exemplar, programs=programs)
    kept_paths = [path for path in graph.paths if not comes_from(path.provenance, origin)]
    kept_outcomes = [one for one in graph.all_outcomes if not comes_from(one.provenance, origin)]
    for path in kept_paths:
        builder.add_path(path)
    for outcome in kept_outcomes:
        builder.add_outcome(outcome)
    rest = builder.graph()
    removed = Removed(
        exemplars=tuple(exemplars),
        paths=tuple(path.provenance for path in graph.paths if path not in set(kept_paths)),
        outcomes=len(graph.all_outcomes) - len(kept_outcomes),
        transitions=tuple(edge for edge in graph.transitions if edge not in rest.edges),
        programs=len(graph.programs) - len(rest.programs),
    )
    if not (removed.exemplars or removed.paths or removed.outcomes):
        raise ConfigError(
            f"nothing in this graph comes from {origin!r:.80}; `regrapht graph show TECHNIQUE` says what does"
        )
    return rest, removed


def _steps_elsewhere(graph: TechniqueGraph, edge: Transition) -> bool:
    return any(edge in path.transitions for path in graph.paths)
