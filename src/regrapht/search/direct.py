"""Standard prompting: a first program asked for from the task alone, nothing learnt from the answers. Once, n times, or with reasoning."""

from dataclasses import dataclass

from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.verdict import Status
from regrapht.search.accounting import AccountedSearch
from regrapht.search.context import SearchContext


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectSettings:
    """How many samples of the one request; None is as many as the budget holds."""

    samples: int | None = 1


class DirectSearch(AccountedSearch):
    """Asks for first programs and keeps the best."""

    name = "direct"

    def __init__(self, context: SearchContext, settings: DirectSettings | None = None) -> None:
        super().__init__(context)
        self.settings = settings or DirectSettings()
        self._attempts: set[int] = set()
        self._offers_more = True

    def _next(self, number: int) -> Proposal | None:
        samples = self.settings.samples
        if not self._offers_more or (samples is not None and len(self._attempts) >= samples):
            return None
        attempt = next(n for n in range(len(self._attempts) + 1) if n not in self._attempts)
        self._attempts.add(attempt)
        return Proposal(id=number, kind=ProposalKind.INITIAL, attempt=attempt, seed=self._seed(number))

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        if judged.verdict.status is Status.SKIPPED:
            self._offers_more = False

    def _forget(self, proposal: Proposal) -> None:
        self._attempts.discard(proposal.attempt)


class BestOfN(DirectSearch):
    """`DirectSearch` with as many samples as the budget holds, and the best answer kept.

    The control for every search that spends more than one judgement: what a proposer reaches by luck alone at the same budget.
    """

    name = "best-of-n"

    def __init__(self, context: SearchContext, settings: DirectSettings | None = None) -> None:
        super().__init__(context, settings or DirectSettings(samples=None))


class ChainOfThought(BestOfN):
    """Chain of thought: `BestOfN` under the name by which prompts are worded for reasoning.

    A language model's prompt for a first program (template `cot_first`) asks what computes independently, what limits the speed, which
    techniques follow, and then for the code. For other proposers this is `best-of-n`. As many samples as the budget holds, because every
    method is compared at equal budgets; ReGraphT's table does not say how many its baseline had.
    """

    name = "cot"
