import pytest

from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.proposal import ProposalKind, Wait
from regrapht.records.run import Budget
from regrapht.records.verdict import Status
from regrapht.search.fsr import FeatureSearch, FeatureSearchSettings
from regrapht.testing.search_conformance import context
from regrapht.testing.synthetic import synthetic_verdict


def search(budget: Budget | None = None, **dials) -> FeatureSearch:
    return FeatureSearch(context(budget or Budget(seconds=9.0)), FeatureSearchSettings(**{"candidates": 2, **dials}))


def answer(found, name, status=Status.PASSED, *, cost=900.0):
    """Answer the next proposal with a program of that name; the proposal."""
    proposal = found.ask()
    origin = Origin(proposer="t", seconds=0.0)
    if name is None:
        candidate = Candidate(source=None, program_hash=None, origin=origin, no_source=NoSource.UNPARSABLE, reason="x")
    else:
        candidate = Candidate(source=name, program_hash=name, origin=origin)
    found.tell(proposal, candidate, synthetic_verdict(status, cost=cost))
    return proposal


def quoted(proposal):
    return proposal.parent.candidate.source if proposal.parent else None


def turns(proposal):
    return [judged.candidate.source for judged in proposal.history]


def test_the_paths_of_correctness_and_performance():
    found = search()
    first = [answer(found, "a", Status.BUILD_FAILED), answer(found, "b", Status.WRONG_VALUE)]
    assert [(p.kind, p.attempt) for p in first] == [(ProposalKind.INITIAL, 0), (ProposalKind.INITIAL, 1)]
    second = [answer(found, "c", cost=900), answer(found, "d", cost=500)]
    assert {(p.kind, quoted(p)) for p in second} == {(ProposalKind.REPAIR, "b")}, "the failure that got furthest"
    third = [answer(found, "e", cost=700), answer(found, "f", Status.CRASHED)]
    assert {(p.kind, quoted(p)) for p in third} == {(ProposalKind.IMPROVE, "d")}, "the fastest"
    assert turns(third[0]) == ["b"]
    fourth = [answer(found, "g", Status.CRASHED), answer(found, "h", Status.BUILD_FAILED)]
    assert {quoted(p) for p in fourth} == {"d"}, "the best so far, not the last round's"
    assert [p.attempt for p in (*third, *fourth)] == [0, 1, 2, 3], "one request asked again goes on counting"
    assert found.ask() is None and found.best().candidate.source == "d"


def test_without_keeping_the_best_the_last_round_counts():
    found = search(keep_best=False, rounds=2)
    answer(found, "fast", cost=100), answer(found, "x", Status.CRASHED)
    answer(found, "slow", cost=800), answer(found, "slower", cost=900)
    assert found.ask() is None
    assert found.best().candidate.source == "slow"


def test_a_round_lost_to_failures_does_not_end_it():
    found = search(rounds=3)
    answer(found, "good"), answer(found, "x", Status.CRASHED)
    answer(found, "y", Status.CRASHED), answer(found, "z", Status.RACE)
    last = found.ask()
    assert (last.kind, quoted(last)) == (ProposalKind.REPAIR, "z")
    assert turns(last) == ["good"]


def test_history_can_be_dropped():
    found = search(history=False, rounds=3)
    answer(found, "a"), answer(found, "b", Status.CRASHED)
    answer(found, "c", Status.CRASHED), answer(found, "d", Status.CRASHED)
    assert found.ask().history == ()


def test_answers_without_code_have_nothing_to_quote():
    found = search(rounds=2)
    answer(found, None, Status.UNPARSABLE), answer(found, None, Status.UNPARSABLE)
    proposal = found.ask()
    assert (proposal.kind, proposal.attempt) == (ProposalKind.INITIAL, 2)


def test_a_round_waits_for_its_last_answer_and_asks_again_for_what_was_abandoned():
    found = search()
    first, second = found.ask(), found.ask()
    assert found.ask() == Wait()
    found.abandon(first)
    again = found.ask()
    assert again.attempt == first.attempt != second.attempt and found.ask() == Wait()


@pytest.mark.parametrize(
    ("budget", "dials", "asked"),
    [
        (Budget(candidates=20), {"candidates": 5}, 20),
        (Budget(seconds=1.0), {"candidates": 5}, 20),
        (Budget(candidates=33), {"candidates": 5}, 33),
        (Budget(candidates=33), {"candidates": 5, "rounds": 2}, 10),
    ],
    ids=["5 x 4", "no limit: 5 x 4", "limit not a multiple", "rounds end first"],
)
def test_candidates_times_rounds_is_the_budget(budget, dials, asked):
    found = search(budget, **dials)
    count = 0
    while (proposal := found.ask()) is not None:
        count += 1
        origin = Origin(proposer="t", seconds=0.0)
        found.tell(
            proposal,
            Candidate(source=f"{count}", program_hash=f"{count}", origin=origin),
            synthetic_verdict(Status.PASSED),
        )
    assert count == asked
