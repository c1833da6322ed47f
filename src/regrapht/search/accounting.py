"""What all searches do alike: number proposals, keep the budget, know the best. A kind of search adds what to ask next and what to learn.

The promises of `Search` are kept here once: the budget counts proposals that are out, `Wait` is answered only while there are some, and an
answer that gives no proposal changes nothing. Here too is the one rule over what a proposer cannot serve (a program too long for a model's
context, say): a search learns that it was skipped, without anybody being asked, and goes on with what it would do next.
"""

import hashlib
from abc import ABC, abstractmethod

from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.proposal import Judged, Proposal, Wait
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.search.budget import FREE_IN_A_ROW, BudgetMeter
from regrapht.search.context import SearchContext
from regrapht.search.reward import rank

WITHHELD = "withheld"
"""The proposer's name of an answer that nobody was asked for."""


class AccountedSearch(ABC):
    """A `Search` but for its idea."""

    name: str

    def __init__(self, context: SearchContext) -> None:
        self.context = context
        self._meter = BudgetMeter(context.budget)
        self._out: dict[int, Proposal] = {}
        self._asked = 0
        self._best: Judged | None = None

    def ask(self) -> Proposal | Wait | None:
        """The next proposal; `Wait` only while another one is out; None when the search is finished."""
        if not self._is_done() and self._meter.allows_another(len(self._out)):
            proposal = self._next_served(self._asked + 1)
            if proposal is not None:
                self._asked += 1
                self._out[proposal.id] = proposal
                return proposal
        return Wait() if self._out else None

    def tell(self, proposal: Proposal, candidate: Candidate, verdict: Verdict) -> None:
        """Take in the answer to a proposal that is out.

        Raises:
            ValueError: It is not out: each proposal is told or abandoned once.
        """
        self._take_back(proposal)
        judged = Judged(proposal_id=proposal.id, candidate=candidate, verdict=verdict)
        is_new = self._meter.spent.add(candidate, verdict)
        if verdict.passed and (self._best is None or self._rank(judged) > self._rank(self._best)):
            self._best = judged
        self._learn(proposal, judged, is_new=is_new)

    def abandon(self, proposal: Proposal) -> None:
        """The machine's fault: budget and virtual loss come back, nothing is learnt.

        Raises:
            ValueError: As `tell`.
        """
        self._take_back(proposal)
        self._forget(proposal)

    def best(self) -> Judged | None:
        """The best so far: passed, then reward, then fewer steps. None when nothing passed."""
        return self._best

    @abstractmethod
    def _next(self, number: int) -> Proposal | None:
        """The proposal with this id, or None, with nothing changed, when there is none to make now."""

    @abstractmethod
    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        """Take in an answer; `is_new` is False for a skipped one and for a program that was judged before."""

    @abstractmethod
    def _forget(self, proposal: Proposal) -> None:
        """Undo what `_next` did for this proposal."""

    def _next_served(self, number: int) -> Proposal | None:
        """`_next`, past what the proposer cannot serve; None too where nothing else comes."""
        for _ in range(FREE_IN_A_ROW):
            proposal = self._next(number)
            if proposal is None or self._can_serve(proposal):
                return proposal
            self._learn(proposal, _withheld(proposal), is_new=False)
            if self._is_done():
                break
        return None

    def _can_serve(self, proposal: Proposal) -> bool:
        return self.context.serves is None or self.context.serves(proposal)

    def _is_done(self) -> bool:
        """Whether the search wants no more, whatever the budget."""
        return False

    def _seed(self, number: int) -> int:
        """A seed for one proposal, the same in every run with this seed."""
        digest = hashlib.sha256(f"{self.context.seed}:{number}".encode()).digest()
        return int.from_bytes(digest[:4], "big")

    def _rank(self, judged: Judged) -> tuple[bool, float, float, int]:
        return rank(judged, self.context.yardstick)

    def _take_back(self, proposal: Proposal) -> None:
        if self._out.pop(proposal.id, None) is None:
            raise ValueError(f"proposal {proposal.id} is not out: each proposal is told or abandoned once")


def _withheld(proposal: Proposal) -> Judged:
    """The answer to a proposal that the proposer cannot serve: skipped, and no refusal of a technique."""
    reason = "the proposer cannot serve it"
    candidate = Candidate(
        source=None,
        program_hash=None,
        origin=Origin(proposer=WITHHELD, seconds=0.0),
        parent=proposal.parent.candidate.id if proposal.parent is not None else None,
        transition=proposal.transition,
        no_source=NoSource.SKIPPED,
        reason=reason,
    )
    verdict = Verdict(
        status=Status.SKIPPED,
        level=Level.SCREEN,
        evaluator="none",
        task_hash="",
        candidate_id=candidate.id,
        reason=reason,
        no_timing="not_reached",
    )
    return Judged(proposal_id=proposal.id, candidate=candidate, verdict=verdict)
