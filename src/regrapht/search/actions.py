"""What can be asked at a program: every technique that may apply, and the exemplars that go with it."""

from collections.abc import Collection

from regrapht.graph.query import retrieve
from regrapht.graph.retrieval import similar_first_programs
from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Judged
from regrapht.records.technique import INIT, Exemplar, Transition
from regrapht.search.context import SearchContext

UNKNOWN_MATCH = 0.5
"""How well a technique's condition is taken to fit where the proposer cannot tell; only its ratio to 1 matters."""


def last_technique(context: SearchContext, candidate: Candidate) -> str:
    """The candidate's latest technique that the graph knows; `init` when there is none."""
    return next((slug for slug in reversed(candidate.techniques) if slug in context.graph.techniques), INIT)


def applicable_transitions(
    context: SearchContext, candidate: Candidate, refused: Collection[str] = ()
) -> dict[Transition, float]:
    """A transition to every technique of the graph that is not known not to apply, with how well its condition fits, above 0 to 1.

    What was `refused` on the way to the candidate is left out where nobody can tell. The graph's edges do not limit what may be tried, they
    only weigh it: where exemplars are few, most pairs have none.
    """
    source = last_technique(context, candidate)
    matches = with_match(context, candidate, tuple(Transition(source, slug) for slug in context.graph.techniques))
    return {t: match for t, match in matches.items() if match == 1.0 or t.target not in refused}


def with_match(
    context: SearchContext, candidate: Candidate, transitions: tuple[Transition, ...]
) -> dict[Transition, float]:
    """Those of the transitions that are not known not to apply, with how well their condition fits."""
    matches: dict[Transition, float] = {}
    for transition in transitions:
        fits = None if context.applicable is None else context.applicable(candidate, transition)
        if fits is not False:
            matches[transition] = 1.0 if fits else UNKNOWN_MATCH
    return matches


def exemplars_for(
    context: SearchContext, transition: Transition | None, limit: int, *, parent: Judged | None = None
) -> tuple[Exemplar, ...]:
    """Up to `limit` exemplars: of the transition itself, then of others to the same technique; never of this task.

    For a first program, which has no transition, one: that of the nearest task by description and structure.
    Of one transition those come first whose program before is most like the parent's, which the technique is to be applied to.
    """
    if limit < 1 or (transition is None and not context.reference):
        return ()
    if transition is None:
        return similar_first_programs(context.graph, context.reference, context.viewer, limit=1)
    graph, program = context.graph, parent.candidate.source if parent is not None else None
    others = sorted(graph.predecessors(transition.target), key=lambda edge: (-graph.support(edge), edge))
    found: list[Exemplar] = []
    for edge in (transition, *(other for other in others if other != transition)):
        if graph.edges.get(edge):
            found.extend(retrieve(graph, edge, context.viewer, limit=limit - len(found), program=program))
        if len(found) >= limit:
            break
    return tuple(found)
