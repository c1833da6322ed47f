import pytest

from regrapht.errors import ConfigError
from regrapht.propose import PROPOSERS
from regrapht.propose.replay import ReplayProposer
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Abandoned, Asked
from regrapht.records.verdict import Level, Status, Verdict


def answered(number: int) -> tuple[Asked, Judged]:
    candidate = Candidate(source=f"int a{number};", program_hash="h", origin=Origin(proposer="test", seconds=0.0))
    verdict = Verdict(
        status=Status.BUILD_FAILED,
        level=Level.SCREEN,
        evaluator="test",
        task_hash="t",
        candidate_id=candidate.id,
        reason="r",
        no_timing="not_reached",
    )
    asked = Asked(proposal=Proposal(id=number, kind=ProposalKind.INITIAL, attempt=number))
    return asked, Judged(proposal_id=number, candidate=candidate, verdict=verdict)


@pytest.fixture
def replay() -> ReplayProposer:
    third = Asked(proposal=Proposal(id=3, kind=ProposalKind.INITIAL, attempt=3))
    return ReplayProposer([*answered(1), *answered(2), third, Abandoned(proposal_id=3, reason="stopped")])


def test_candidates_come_back(replay):
    for number in (2, 1, 2):
        candidate = replay.propose(None, Proposal(id=number, kind=ProposalKind.INITIAL, attempt=number))
        assert candidate.source == f"int a{number};"


def test_another_question_is_an_error(replay):
    with pytest.raises(ConfigError, match="same task, search, seed and graph"):
        replay.propose(None, Proposal(id=1, kind=ProposalKind.INITIAL, attempt=7))


@pytest.mark.parametrize("number", [3, 4])
def test_what_was_never_answered_is_an_error(replay, number):
    with pytest.raises(ConfigError, match=f"no answer to proposal {number}"):
        replay.propose(None, Proposal(id=number, kind=ProposalKind.INITIAL, attempt=number))


def test_it_has_no_name_because_it_needs_a_run(replay):
    assert "replay" not in PROPOSERS.names()
    assert replay.applicable(None, None, None) is None
