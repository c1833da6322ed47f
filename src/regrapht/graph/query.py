"""What a search may see of a graph, and which exemplars of a transition suit a task best."""

from dataclasses import dataclass

from regrapht.graph.builder import GraphBuilder
from regrapht.graph.code_likeness import Likeness, TokenLikeness
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Exemplar, Transition
from regrapht.source.shingles import shingles, similarity

NEAR_DUPLICATE = 0.5
"""Share of token runs from which two sequential programs count as one task in other words."""


FAMILY_BONUS = 0.05
"""What the same family adds to a likeness."""
MOST_RANKED = 192
"""Exemplars of one transition that are compared with a program: those with the largest gains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """The task for which a graph is consulted, and what of the graph it must not see."""

    family: str | None
    hide_tasks: frozenset[str]
    """Ids of the task itself and of its near-duplicates: see `near_duplicates`."""
    hide_family: bool = False
    """True to leave the task's whole family out."""

    @property
    def hidden_family(self) -> str | None:
        return self.family if self.hide_family else None


def near_duplicates(graph: TechniqueGraph, reference: str, *, threshold: float = NEAR_DUPLICATE) -> frozenset[str]:
    """Ids of the tasks in the graph whose sequential program is `reference`, or nearly so, by runs of tokens."""
    wanted = shingles(reference)
    alike: dict[str, bool] = {}
    found = set()
    for transition in graph.successors(INIT):
        for exemplar in graph.exemplars(transition):
            key = exemplar.before
            if key not in alike:
                alike[key] = similarity(wanted, shingles(graph.programs[key])) >= threshold
            if alike[key]:
                found.add(exemplar.task_id)
    return frozenset(found)


def retrieve(
    graph: TechniqueGraph,
    transition: Transition,
    viewer: Viewer,
    *,
    limit: int = 2,
    program: str | None = None,
    likeness: Likeness | None = None,
) -> tuple[Exemplar, ...]:
    """At most `limit` exemplars of a transition.

    One of each task comes before a second of any: two views of one task teach less than two tasks. Then, with a `program`, the exemplar
    whose program before is most like it by `likeness`, with a little for the viewer's family; without one, the viewer's family first, then
    larger gains. What the viewer must not see is left out before anything is ranked.

    Args:
        program: The program that the technique is to be applied to.
        likeness: Tokens and structure by default.
    """
    shown = graph.exemplars(
        transition, hide_family=viewer.hidden_family, hide_tasks=viewer.hide_tasks, limit=MOST_RANKED
    )
    family = [viewer.family is not None and exemplar.family == viewer.family for exemplar in shown]
    if program is None:
        merit = [(float(not own), place) for place, own in enumerate(family)]
    else:
        alike = (likeness or TokenLikeness()).likeness(program, [graph.programs[e.before] for e in shown])
        merit = [(-float(alike[place]) - (FAMILY_BONUS if own else 0.0), place) for place, own in enumerate(family)]
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int, Exemplar]] = []
    for place in sorted(range(len(shown)), key=lambda place: merit[place]):
        exemplar = shown[place]
        seen[exemplar.task_id] = repetition = seen.get(exemplar.task_id, -1) + 1
        ranked.append((repetition, len(ranked), exemplar))
    return tuple(exemplar for *_, exemplar in sorted(ranked, key=lambda item: item[:2]))[:limit]


def without(graph: TechniqueGraph, *, tasks: frozenset[str] = frozenset(), family: str | None = None) -> TechniqueGraph:
    """The graph as if these tasks, and every task of this family, had never been learnt from.

    Transitions that only they showed disappear. Outcomes that are sums over tasks have none: a task cannot be taken out of those.
    """

    def is_hidden(task_id: str, of_family: str | None) -> bool:
        return task_id in tasks or (family is not None and of_family == family)

    builder = GraphBuilder(graph.techniques.values())
    for transition, exemplars in graph.edges.items():
        for exemplar in exemplars:
            if not is_hidden(exemplar.task_id, exemplar.family):
                programs = (graph.programs[exemplar.before], graph.programs[exemplar.after])
                builder.add_transition(transition, exemplar=exemplar, programs=programs)
    for path in graph.paths:
        if not is_hidden(path.task_id, path.family):
            builder.add_path(path)
    for outcome in graph.all_outcomes:
        if not is_hidden(outcome.task_id or "", outcome.family):
            builder.add_outcome(outcome)
    return builder.graph()


def method_only(graph: TechniqueGraph) -> TechniqueGraph:
    """The graph without exemplars and programs: the ablation that shows whether a technique's name alone would do."""
    builder = GraphBuilder(graph.techniques.values())
    for transition in graph.transitions:
        builder.add_transition(transition)
    for path in graph.paths:
        builder.add_path(path)
    for outcome in graph.all_outcomes:
        builder.add_outcome(outcome)
    return builder.graph()
