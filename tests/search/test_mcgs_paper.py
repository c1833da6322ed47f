"""MCGS as published, against a trace worked out by hand from equations 1 to 3 of arXiv 2510.19873, section 3.2."""

import math

import pytest

from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import Proposal, ProposalKind, Wait
from regrapht.records.run import Budget
from regrapht.records.technique import Area, Technique, Transition
from regrapht.records.verdict import Status
from regrapht.search.context import SearchContext
from regrapht.search.mcgs_paper import PaperSearch, PaperSearchSettings, equation_1, equation_3
from regrapht.testing.search_conformance import GRAPH, context, drive, usual_answers
from regrapht.testing.synthetic import synthetic_verdict

ORIGIN = Origin(proposer="hand", seconds=0.0)


def graph(*edges: str) -> TechniqueGraph:
    """`init a` is the edge from init to a."""
    slugs = sorted({slug for edge in edges for slug in edge.split()} - {"init"})
    known = {s: Technique(slug=s, title=s, area=Area.MEMORY, meaning="m", condition="c") for s in slugs}
    return TechniqueGraph(techniques=known, edges={Transition(*edge.split()): () for edge in edges})


def search(known: TechniqueGraph, *, seed: int = 0, **dials) -> PaperSearch:
    given = SearchContext(
        task_id="hand",
        family=None,
        graph=known,
        yardstick=Yardstick(scale=Scale.MODELLED, start=100.0, floor=1.0, start_name="plain"),
        budget=Budget(candidates=200),
        seed=seed,
        proposer="hand",
        device="hand",
    )
    return PaperSearch(given, PaperSearchSettings(**dials))


def answer(found: PaperSearch, proposal: Proposal, *, speedup: float | None) -> None:
    """A program named by its techniques, that many times as fast as the start; None fails."""
    before = proposal.parent.candidate.techniques if proposal.parent else ()
    techniques = (*before, proposal.transition.target) if proposal.transition else before
    name = " ".join(techniques) + f" {proposal.id}"
    candidate = Candidate(source=name, program_hash=name, origin=ORIGIN, techniques=techniques)
    status = Status.PASSED if speedup is not None else Status.WRONG_VALUE
    found.tell(proposal, candidate, synthetic_verdict(status, cost=100.0 / (speedup or 1.0)))


def begin(found: PaperSearch) -> None:
    first = found.ask()
    assert (first.kind, first.transition) == (ProposalKind.INITIAL, None)
    answer(found, first, speedup=1.0)


def state(found: PaperSearch, *way: str):
    place = found.root
    for slug in way:
        place = next(s for s in place.successors if s.transition.target == slug)
    return place


def test_equation_1_is_ucb1_with_the_parents_visits_and_puts_the_unvisited_first():
    assert equation_1(0.5, 2, 8) == 0.5 + math.sqrt(2 * math.log(8) / 2)
    assert equation_1(99.0, 0, 8) == math.inf


@pytest.mark.parametrize(
    ("status", "speedup", "expected"),
    [
        (Status.BUILD_FAILED, None, -1),
        (Status.WRONG_VALUE, None, -1),
        (Status.PASSED, 0.25, -0.75),
        (Status.PASSED, 1.0, 1.0),
        (Status.PASSED, 6.5, 6.5),
    ],
)
def test_equation_3(status, speedup, expected):
    assert equation_3(synthetic_verdict(status), speedup) == expected


def test_the_trace_worked_out_by_hand():
    """init -> a, b; a -> b, c; b -> c; lambda 0.5, epsilon 0 and one step of rollout.

    Rollouts 1 and 2: `a` and `b` are unvisited, so both come before anything else, in either order.
      a: 2 times as fast, then the rollout's step. Equation 2 over a -> b and a -> c, both untried: 0 - 0.5 * 0 = 0 each, a tie.
         Whichever it is, let it be 3 times as fast: R = max(2, 3) = 3, so N(a) = 1, Q(a) = 3.
      b: fails: R = -1 (equation 3), the rollout stops, N(b) = 1, Q(b) = -1.
    Rollout 3: N(root) = 2. P-UCB(a) = 3 + sqrt(2 ln 2 / 1) = 4.177; P-UCB(b) = -1 + 1.177 = 0.177 (equation 1). So `a`, whose successors
      b and c were made at its first visit and are unvisited. Let it be 0.5 times as fast: reward 0.5 - 1 = -0.5. The rollout's step: from
      b there is only c; from c nothing leaves, so it ends. Let the step from b fail: R = max(-0.5, -1) = -0.5 in either case.
      Up the selected path: N(a) = 2, Q(a) = (3 - 0.5) / 2 = 1.25; the successor: N = 1, Q = -0.5.
    Rollout 4: N(root) = 3. P-UCB(a) = 1.25 + sqrt(2 ln 3 / 2) = 2.298; P-UCB(b) = -1 + sqrt(2 ln 3 / 1) = 0.482. `a` again, and there its
      other successor, which is unvisited. Let it fail: R = -1. N(a) = 3, Q(a) = 1.5 / 3 = 0.5.
    Rollout 5: N(root) = 4. P-UCB(a) = 0.5 + sqrt(2 ln 4 / 3) = 1.461; P-UCB(b) = -1 + sqrt(2 ln 4 / 1) = 0.665. `a`; below it, N(a) = 3:
      the one at -0.5: -0.5 + sqrt(2 ln 3) = 0.982; the one at -1: 0.482. So the first, which is right and whose successors come next, or
      which, being c, has none: then nothing is left there, and the failed one is asked anew.
    """
    found = search(
        graph("init a", "init b", "a b", "a c", "b c"), penalty=0.5, chance_of_random=0.0, rollout_steps=1, rollouts=5
    )
    begin(found)
    for _ in range(2):
        proposal = found.ask()
        if proposal.transition == Transition("init", "b"):
            answer(found, proposal, speedup=None)
            continue
        answer(found, proposal, speedup=2.0)
        step = found.ask()
        assert step.transition.source == "a" and step.parent.candidate.techniques == ("a",)
        answer(found, step, speedup=3.0)
    a, b = state(found, "a"), state(found, "b")
    assert (a.visits, a.total, b.visits, b.total, found.root.visits) == (1, 3.0, 1, -1.0, 2)
    assert {s.transition.target for s in a.successors} == {"b", "c"}, "all successors at the first visit"

    third = found.ask()
    assert third.transition.source == "a"
    answer(found, third, speedup=0.5)
    if third.transition.target == "b":
        step = found.ask()
        assert step.transition == Transition("b", "c")
        answer(found, step, speedup=None)
    slower = state(found, "a", third.transition.target)
    assert (a.visits, a.total, slower.visits, slower.total) == (2, 2.5, 1, -0.5)

    fourth = found.ask()
    assert (fourth.transition.source, fourth.parent.candidate.techniques) == ("a", ("a",))
    assert fourth.transition != third.transition
    answer(found, fourth, speedup=None)
    assert (found.root.visits, a.visits, a.total) == (4, 3, 1.5)
    assert equation_1(1.5 / 3, 3, 4) == pytest.approx(1.461, abs=1e-3)
    assert equation_1(-1.0, 1, 4) == pytest.approx(0.665, abs=1e-3)

    fifth = found.ask()
    expected = Transition("b", "c") if third.transition.target == "b" else fourth.transition
    assert fifth.transition == expected
    answer(found, fifth, speedup=4.0)
    while isinstance(step := found.ask(), Proposal):
        answer(found, step, speedup=None)
    assert found.root.visits == 5, "five rollouts, and no more"
    assert found.best().candidate.techniques[0] == "a"


def test_lambda_leads_a_rollout_out_of_a_cycle():
    """Within one rollout no return is known yet, so equation 2 is -lambda N(s, a): both ways on from `a` are taken in turn."""

    def imbalance(penalty, seed):
        found = search(
            graph("init a", "a a", "a b", "b a"), seed=seed, penalty=penalty, chance_of_random=0.0, rollout_steps=9
        )
        begin(found)
        taken = []
        for _ in range(10):
            proposal = found.ask()
            taken.append(proposal.transition.target)
            sources = [proposal.transition.source, *taken]
            answer(found, proposal, speedup=2.0)
        leaving_a = [after for before, after in zip(sources[1:], taken[1:], strict=False) if before == "a"]
        return abs(leaving_a.count("a") - leaving_a.count("b"))

    assert max(imbalance(0.5, seed) for seed in range(6)) <= 1
    assert max(imbalance(0.0, seed) for seed in range(6)) > 1, "without lambda chance alone decides"


def test_a_failure_ends_its_rollout_and_costs_no_further_step():
    found = search(graph("init a", "a b"), chance_of_random=0.0, rollouts=3)
    begin(found)
    for _ in range(3):
        proposal = found.ask()
        assert proposal.transition == Transition("init", "a")
        answer(found, proposal, speedup=None)
    assert found.ask() is None
    assert (found.root.visits, found.root.total) == (3, -3.0)


def test_ten_rollouts_or_to_the_end_of_the_budget():
    given = context(Budget(candidates=60))
    short, long = (PaperSearch(given, PaperSearchSettings(continued=c)) for c in (False, True))
    drive(short, usual_answers())
    drive(long, usual_answers())
    assert short.root.visits == 10 and short._meter.spent.candidates < 60
    assert long.root.visits > 10 and long._meter.spent.candidates == 60


def test_only_edges_of_the_graph_are_followed():
    events = drive(PaperSearch(context(Budget(candidates=60)), PaperSearchSettings(continued=True)), usual_answers())
    taken = {e.proposal.transition for e in events if hasattr(e, "proposal")} - {None}
    assert taken and taken <= set(GRAPH.transitions)


def test_the_largest_return_instead_of_the_mean():
    found = search(graph("init a", "init b"), largest_return=True, chance_of_random=0.0, continued=True)
    begin(found)
    for _ in range(2):
        proposal = found.ask()
        answer(found, proposal, speedup=3.0 if proposal.transition.target == "a" else None)
    assert found._mean(found.root) == 3.0
    assert found.ask().transition.target == "b", "a has no successors, so only the failure is left to ask anew"


def test_rollouts_that_overlap_start_at_different_states_and_return_to_zero():
    found = search(graph("init a", "init b", "init c"), chance_of_random=0.0)
    begin(found)
    asked = [found.ask() for _ in range(3)]
    assert len({p.transition for p in asked}) == 3 and found.ask() == Wait()
    found.abandon(asked[0])
    again = found.ask()
    assert (again.transition, again.attempt) == (asked[0].transition, asked[0].attempt)
    for proposal in (asked[2], again, asked[1]):
        answer(found, proposal, speedup=1.5)
    assert [s.out for s in (found.root, *found.root.successors)] == [0, 0, 0, 0]


def test_a_technique_that_does_not_apply_is_no_visit():
    found = search(graph("init a", "init b"), chance_of_random=0.0)
    begin(found)
    proposal = found.ask()
    nothing = Candidate(source=None, program_hash=None, origin=ORIGIN, no_source=NoSource.SKIPPED, reason="no")
    found.tell(proposal, nothing, synthetic_verdict(Status.SKIPPED))
    assert (found.root.visits, found.root.out) == (0, 0)
    assert found.ask().transition != proposal.transition
