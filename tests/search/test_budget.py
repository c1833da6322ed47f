from dataclasses import replace

import pytest

from regrapht.records.candidate import Candidate, NoSource, Origin, TokenUsage
from regrapht.records.run import Budget
from regrapht.records.verdict import Status
from regrapht.search.budget import PROPOSALS_PER_CANDIDATE, BudgetMeter, Spending
from regrapht.testing.synthetic import synthetic_verdict


def candidate(program: str, *, tokens: int = 0, usd: float | None = None) -> Candidate:
    usage = TokenUsage(prompt_tokens=tokens, completion_tokens=0, cost_usd=usd)
    origin = Origin(proposer="test", seconds=0.0, usage=usage)
    return Candidate(source=program, program_hash=program, origin=origin)


def test_known_programs_and_skipped_techniques_are_proposals_but_not_candidates():
    spent = Spending()
    assert spent.add(candidate("a"), synthetic_verdict(Status.PASSED))
    assert not spent.add(candidate("a"), synthetic_verdict(Status.PASSED))
    assert not spent.add(candidate("b"), synthetic_verdict(Status.SKIPPED))
    assert spent.add(candidate("c"), synthetic_verdict(Status.BUILD_FAILED))
    assert (spent.candidates, spent.proposals) == (2, 4)


@pytest.mark.parametrize(("kind", "counts"), [(NoSource.UNPARSABLE, True), (NoSource.NO_PROGRAM, False)])
def test_a_reply_without_a_program_is_a_candidate_of_a_model_alone_and_none_beside_rules(kind, counts):
    spent = Spending()
    empty = replace(candidate("", tokens=7), source=None, program_hash=None, no_source=kind, reason="three sentences")
    assert spent.add(empty, synthetic_verdict(Status.UNPARSABLE)) is counts
    assert (spent.candidates, spent.proposals, spent.tokens, spent.by_writer.total()) == (counts, 1, 7, counts)


def test_proposals_that_are_out_are_reserved():
    meter = BudgetMeter(Budget(candidates=3))
    assert meter.allows_another(2)
    assert not meter.allows_another(3)
    meter.spent.add(candidate("a"), synthetic_verdict(Status.PASSED))
    assert not meter.allows_another(2)
    meter.spent.add(candidate("a"), synthetic_verdict(Status.PASSED))
    assert meter.allows_another(1), "a duplicate gives its place back"


def test_tokens_and_money_are_counted():
    for budget in (Budget(tokens=100), Budget(usd=0.5)):
        meter = BudgetMeter(budget)
        meter.spent.add(candidate("a", tokens=99, usd=0.4), synthetic_verdict(Status.PASSED))
        assert meter.allows_another(5)
        meter.spent.add(candidate("b", tokens=1, usd=0.1), synthetic_verdict(Status.PASSED))
        assert not meter.allows_another(0)


def test_a_run_of_known_programs_ends():
    meter = BudgetMeter(Budget(candidates=1))
    spent = 0
    while meter.allows_another(0):
        meter.spent.add(candidate("a"), synthetic_verdict(Status.SKIPPED))
        spent += 1
    assert spent == PROPOSALS_PER_CANDIDATE
