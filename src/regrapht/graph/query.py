"""What a search may see of a graph, and which exemplars of a transition suit a task best."""

from dataclasses import dataclass

from regrapht.graph.builder import GraphBuilder
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Exemplar, Outcome, Transition
from regrapht.source.shingles import shingles, similarity

NEAR_DUPLICATE = 0.6
"""Share of token runs from which two sequential programs count as one task in other words."""


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


def retrieve(graph: TechniqueGraph, transition: Transition, viewer: Viewer, *, limit: int = 2) -> tuple[Exemplar, ...]:
    """At most `limit` exemplars of a transition: one of each task before a second of any, the viewer's family first, then larger gains."""
    shown = graph.exemplars(transition, hide_family=viewer.hidden_family, hide_tasks=viewer.hide_tasks)
    of_task: dict[str, int] = {}
    ranked = []
    for place, exemplar in enumerate(shown):
        repetition = of_task[exemplar.task_id] = of_task.get(exemplar.task_id, -1) + 1
        is_foreign = viewer.family is None or exemplar.family != viewer.family
        ranked.append((repetition, is_foreign, place, exemplar))
    return tuple(exemplar for *_, exemplar in sorted(ranked, key=lambda item: item[:3]))[:limit]


def without(graph: TechniqueGraph, *, tasks: frozenset[str] = frozenset(), family: str | None = None) -> TechniqueGraph:
    """The graph as if these tasks, and every task of this family, had never been learnt from.

    Transitions that only they showed disappear. Outcomes are sums over tasks: those of the family go, those of single tasks cannot.
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
        if _stays(outcome, family):
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


def _stays(outcome: Outcome, family: str | None) -> bool:
    return family is None or outcome.family != family
