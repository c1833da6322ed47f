"""Each control is `mcgs` without one thing, and with everything else."""

from dataclasses import replace
from itertools import pairwise

import pytest

from regrapht.graph.technique_graph import TechniqueGraph, text_hash
from regrapht.records.proposal import ProposalKind
from regrapht.records.run import Asked, Budget
from regrapht.records.technique import INIT, Exemplar, Outcome, Transition
from regrapht.search.controls import MethodOnly, NoGraph, NoHardware, NoPrior, NoRepair, ShuffledGraph, shuffled
from regrapht.search.mcgs import GraphSearch
from regrapht.testing.search_conformance import GRAPH, context, drive, usual_answers


def with_knowledge() -> TechniqueGraph:
    """The suite's graph, with an exemplar on every edge and an outcome of each."""
    programs = {text_hash(text): text for text in ("before", "after")}
    edges = {edge: (exemplar(edge),) for edge in GRAPH.transitions}
    outcomes = tuple(
        Outcome(transition=edge, device="d", proposer="p", applied=("technique-01",), attempts=2, built=1, correct=1)
        for edge in GRAPH.transitions
    )
    return replace(GRAPH, edges=edges, programs=programs, all_outcomes=outcomes)


def exemplar(edge: Transition) -> Exemplar:
    return Exemplar(
        transition=edge,
        task_id="other",
        family=None,
        rationale=str(edge),
        detail="",
        before=text_hash("before"),
        after=text_hash("after"),
        before_status="PASSED",
        after_status="PASSED",
        speedup=None,
        device=None,
        source="hand",
        licence="Apache-2.0",
    )


def asked(kind, *, candidates=30, seed=3):
    given = replace(context(Budget(candidates=candidates), seed=seed), graph=with_knowledge())
    found = kind(given)
    proposals = [e.proposal for e in drive(found, usual_answers(seed)) if isinstance(e, Asked)]
    return found, proposals


def priors(found: GraphSearch) -> list[float]:
    """Of everything that may be asked at the first program."""
    node = found.root.edges[0].children[0]
    return [*(edge.prior for edge in node.edges), *(share for share in node.offer.shares if share >= 0)]


def test_mcgs_itself_has_all_of_it():
    found, proposals = asked(GraphSearch)
    applied = [p for p in proposals if p.kind is ProposalKind.APPLY]
    assert all(p.exemplars for p in applied)
    assert len(set(priors(found))) > 2
    assert any(p.kind is ProposalKind.REPAIR for p in proposals) or any(p.attempt for p in applied)


@pytest.mark.parametrize("kind", [NoPrior, NoGraph])
def test_without_a_prior_all_are_equally_likely(kind):
    found, _ = asked(kind)
    shares = priors(found)
    assert shares == pytest.approx([1 / len(GRAPH.techniques)] * len(GRAPH.techniques))


@pytest.mark.parametrize("kind", [MethodOnly, NoGraph])
def test_without_exemplars_none_is_shown(kind):
    _, proposals = asked(kind)
    assert not any(p.exemplars for p in proposals)
    assert any(p.transition is not None for p in proposals)


def test_what_is_not_taken_away_stays():
    assert all(p.exemplars for p in asked(NoPrior)[1] if p.kind is ProposalKind.APPLY)
    assert len(set(priors(asked(MethodOnly)[0]))) > 2


def test_without_repair_a_failed_visit_is_over():
    _, proposals = asked(NoRepair)
    assert not any(p.kind is ProposalKind.REPAIR for p in proposals)
    pairs = [(a, b) for a, b in pairwise(proposals) if a.transition == b.transition]
    assert all(a.parent != b.parent for a, b in pairs if a.transition is not None)


def test_no_hardware_chooses_as_mcgs_does():
    assert asked(NoHardware)[1] == asked(GraphSearch)[1]


def test_a_shuffled_graph_is_the_same_graph_under_other_names():
    known = with_knowledge()
    wrong = shuffled(known, 5)
    assert wrong == shuffled(known, 5) != shuffled(known, 6)
    assert wrong.techniques == known.techniques, "names keep their meanings"
    assert len(wrong.transitions) == len(known.transitions) and wrong.transitions != known.transitions
    assert len(wrong.all_outcomes) == len(known.all_outcomes)

    def degrees(graph):
        return sorted((len(graph.successors(s)), len(graph.predecessors(s))) for s in graph.techniques)

    assert degrees(wrong) == degrees(known)
    assert len(wrong.successors(INIT)) == len(known.successors(INIT))
    assert sorted(len(path.slugs) for path in wrong.paths) == sorted(len(path.slugs) for path in known.paths)
    moved = {e.transition: e.rationale for edge in wrong.transitions for e in wrong.exemplars(edge)}
    assert sum(str(edge) != words for edge, words in moved.items()) > len(moved) / 2


def test_a_shuffled_graph_misleads_the_search():
    assert asked(ShuffledGraph)[1] != asked(GraphSearch)[1]
