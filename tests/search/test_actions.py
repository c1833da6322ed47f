"""Which exemplars go with a proposal: ranked by the program at hand."""

from dataclasses import replace

from regrapht.graph.technique_graph import TechniqueGraph, text_hash
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Budget
from regrapht.records.technique import INIT, Exemplar, Transition
from regrapht.records.verdict import Status
from regrapht.search.actions import exemplars_for
from regrapht.search.context import SearchContext
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings
from regrapht.testing.search_conformance import GRAPH, context
from regrapht.testing.synthetic import synthetic_verdict

PROGRAMS = {
    "histogram": "__global__ void histogram(const int* keys, int* bins) { atomicAdd(&bins[keys[threadIdx.x]], 1); }",
    "stencil": "__global__ void stencil(float* grid) { float left = grid[0], right = grid[2]; grid[1] = left + right; }",
    "softmax": "__global__ void softmax(float* row) { float largest = row[0]; row[1] = expf(row[1] - largest); }",
}
FIRST, SECOND = sorted(GRAPH.techniques)[:2]
DIRECT, OTHER = Transition(INIT, FIRST), Transition(SECOND, FIRST)


def exemplar(edge: Transition, task: str, speedup: float) -> Exemplar:
    return Exemplar(
        transition=edge,
        task_id=task,
        family=task,
        rationale="because",
        detail="so",
        before=text_hash(PROGRAMS[task]),
        after=text_hash(PROGRAMS[task] + " // after"),
        before_status="PASSED",
        after_status="PASSED",
        speedup=speedup,
        device="emulated",
        source="hand",
        licence="Apache-2.0",
        provenance=f"{task}/1",
    )


def known(**of: Transition) -> TechniqueGraph:
    """One exemplar of each task named, on this transition; the first named has gained most."""
    edges, programs = dict.fromkeys(GRAPH.transitions, ()), {}
    for place, (task, edge) in enumerate(of.items()):
        edges[edge] = (*edges.get(edge, ()), exemplar(edge, task, 9.0 - place))
        programs.update({text_hash(text): text for text in (PROGRAMS[task], PROGRAMS[task] + " // after")})
    return replace(GRAPH, edges=edges, programs=programs)


def given(graph: TechniqueGraph) -> SearchContext:
    return replace(context(Budget(candidates=20)), graph=graph, task_id="mine")


def parent(text: str) -> Judged:
    candidate = Candidate(source=text, program_hash=text, origin=Origin(proposer="t", seconds=0.0))
    return Judged(proposal_id=1, candidate=candidate, verdict=synthetic_verdict(Status.PASSED))


def tasks(found: tuple[Exemplar, ...]) -> list[str]:
    return [exemplar.task_id for exemplar in found]


def test_the_exemplar_most_like_the_program_at_hand_comes_first():
    there = given(known(histogram=DIRECT, stencil=DIRECT, softmax=DIRECT))
    for task, text in PROGRAMS.items():
        assert tasks(exemplars_for(there, DIRECT, 1, parent=parent(text))) == [task]
    assert tasks(exemplars_for(there, DIRECT, 1)) == ["histogram"], "without a program the largest gain"


def test_the_transitions_own_exemplars_come_before_those_of_others_to_the_same_technique():
    there = given(known(histogram=OTHER, stencil=OTHER, softmax=DIRECT))
    found = exemplars_for(there, DIRECT, 2, parent=parent(PROGRAMS["stencil"]))
    assert tasks(found) == ["softmax", "stencil"]


def test_nothing_is_shown_of_the_task_itself_or_where_nothing_is_asked_for():
    there = replace(given(known(histogram=DIRECT)), task_id="histogram")
    assert exemplars_for(there, DIRECT, 2, parent=parent(PROGRAMS["histogram"])) == ()
    assert exemplars_for(there, None, 2) == exemplars_for(there, DIRECT, 0) == ()


def test_a_search_shows_what_is_most_like_the_program_that_the_technique_is_applied_to():
    graph = known(histogram=DIRECT, stencil=DIRECT, softmax=DIRECT)
    there = replace(given(graph), applicable=lambda candidate, transition: transition.target == FIRST)
    found = GraphSearch(there, GraphSearchSettings(exemplars=1))
    first = found.ask()
    found.tell(first, parent(PROGRAMS["softmax"]).candidate, synthetic_verdict(Status.PASSED))
    asked = found.ask()
    assert isinstance(asked, Proposal) and asked.kind is ProposalKind.APPLY
    assert tasks(asked.exemplars) == ["softmax"]
    found.tell(asked, parent("broken text").candidate, synthetic_verdict(Status.WRONG_VALUE))
    again = found.ask()
    assert tasks(again.exemplars) == ["softmax"], "a recovery is for the same step"
