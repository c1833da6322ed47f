"""What a proposer cannot serve is asked of nobody and costs nothing, in every kind of search and of proposal."""

from dataclasses import replace

import pytest

from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.run import Asked, Budget
from regrapht.search import SEARCHES
from regrapht.testing.search_conformance import TASK, WORLD, context, drive
from regrapht.testing.synthetic import SyntheticProposer

ASKS_ABOUT_PROGRAMS = set(SEARCHES.builtin) - {"direct", "best-of-n", "cot", "rag"}
BUDGET = Budget(candidates=24)


def asked(name: str, *, failure: float, serves=None, choice_weight: float = 0.0) -> list[Proposal]:
    proposer = SyntheticProposer(world=WORLD, failure=failure, repair=0.2)
    here = replace(context(BUDGET), serves=serves, choice_weight=choice_weight)
    search = SEARCHES.make(name, here)
    events = drive(search, lambda proposal: proposer.propose(TASK, proposal))
    return [event.proposal for event in events if isinstance(event, Asked)]


def is_first(proposal: Proposal) -> bool:
    return proposal.parent is None


@pytest.mark.parametrize("failure", [0.0, 0.9])
@pytest.mark.parametrize("name", sorted(SEARCHES.builtin))
def test_no_search_asks_for_what_cannot_be_served(name, failure):
    if name in ASKS_ABOUT_PROGRAMS and failure == 0.0:
        assert not all(map(is_first, asked(name, failure=failure))), "the next line would say nothing"
    proposals = asked(name, failure=failure, serves=is_first, choice_weight=0.5)
    assert proposals and all(map(is_first, proposals))


@pytest.mark.parametrize("kind", [ProposalKind.REPAIR, ProposalKind.IMPROVE, ProposalKind.CHOOSE])
@pytest.mark.parametrize("name", ["mcgs", "fsr", "rethink-mcts", "mcts-rag", "no-repair"])
def test_a_search_goes_on_with_all_other_kinds(name, kind):
    before = {one.kind for one in asked(name, failure=0.5, choice_weight=0.5)}
    after = asked(name, failure=0.5, serves=lambda proposal: proposal.kind is not kind, choice_weight=0.5)
    assert {one.kind for one in after} == before - {kind}


def test_what_is_withheld_at_one_program_is_asked_at_those_below():
    def is_below(proposal: Proposal) -> bool:
        return proposal.parent is not None and len(proposal.parent.candidate.techniques) > 1

    below = [one for one in asked("mcgs", failure=0.0) if is_below(one) and one.transition is not None]
    technique = below[0].transition.target

    def serves(proposal: Proposal) -> bool:
        return is_below(proposal) or proposal.transition is None or proposal.transition.target != technique

    served = asked("mcgs", failure=0.0, serves=serves)
    assert all(map(serves, served))
    assert any(is_below(one) and one.transition.target == technique for one in served if one.transition is not None)
