"""One accounting for every search, so that methods are compared at equal budgets."""

from collections import Counter
from collections.abc import Iterable

from regrapht.records.candidate import Candidate, NoSource, Writer
from regrapht.records.proposal import Judged
from regrapht.records.run import Budget, Event
from regrapht.records.verdict import Status, Verdict

PROPOSALS_PER_CANDIDATE = 8
"""Where a budget limits candidates only, this many proposals go with each: known programs are free, but not without end."""
FREE_IN_A_ROW = 256
"""So many answers in a row that cost no token and no judgement end a search whose other limits they would never reach."""


class Spending:
    """What a run has used so far, from the answers it was told."""

    def __init__(self) -> None:
        self.candidates = 0
        self.proposals = 0
        self.tokens = 0
        self.usd = 0.0
        self.by_writer = Counter[Writer]()
        """Judged candidates by who wrote them: the engine's and the hints' cost no tokens."""
        self.free_in_a_row = 0
        """Answers since the last one that cost anything."""
        self._programs: set[str] = set()

    def add(self, candidate: Candidate, verdict: Verdict) -> bool:
        """Charge one answer. True when it counts as a judged candidate: not skipped, not a program known from before, and not a reply
        without a program where rules write too."""
        self.proposals += 1
        if candidate.origin.usage is not None:
            self.tokens += candidate.origin.usage.total_tokens
            self.usd += candidate.origin.usage.cost_usd or 0.0
        has_cost = verdict.status is not Status.SKIPPED and candidate.no_source is not NoSource.NO_PROGRAM
        counts = has_cost and candidate.program_hash not in self._programs
        if candidate.program_hash is not None:
            self._programs.add(candidate.program_hash)
        self.candidates += counts
        if counts:
            self.by_writer[candidate.writer] += 1
        usage = candidate.origin.usage
        self.free_in_a_row = 0 if counts or (usage is not None and usage.total_tokens) else self.free_in_a_row + 1
        return counts


def spent_by(events: Iterable[Event]) -> Spending:
    """What a run's events add up to."""
    spending = Spending()
    for event in events:
        if isinstance(event, Judged):
            spending.add(event.candidate, event.verdict)
    return spending


class BudgetMeter:
    """Says whether one more proposal fits, counting those that are out as if each became a judged candidate.

    Candidates and proposals are never exceeded. Tokens and money are known only after a call, so the calls that are out when a limit is
    reached may exceed it. Seconds are the loop's business, because a search reads no clock.
    """

    def __init__(self, budget: Budget) -> None:
        self.spent = Spending()
        self._limits = budget
        self._proposals = budget.proposals
        if self._proposals is None and budget.candidates is not None:
            self._proposals = PROPOSALS_PER_CANDIDATE * budget.candidates

    def allows_another(self, out: int) -> bool:
        """Whether one more may be asked while `out` proposals are unanswered."""
        spent, limits = self.spent, self._limits
        return (
            (limits.candidates is None or spent.candidates + out < limits.candidates)
            and (self._proposals is None or spent.proposals + out < self._proposals)
            and (limits.tokens is None or spent.tokens < limits.tokens)
            and (limits.usd is None or spent.usd < limits.usd)
            and (self._proposals is not None or spent.free_in_a_row < FREE_IN_A_ROW)
        )
