"""One search on one table: what it had found after so many judged candidates."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from regrapht.records.proposal import Proposal
from regrapht.records.run import Budget
from regrapht.search.budget import Spending
from regrapht.search.context import SearchContext
from study.landscape.replay import TableJudge, TableProposer
from study.landscape.spoil import Spoil
from study.landscape.table import Table
from study.methods import Method

BUDGETS = (5, 10, 20, 50, 100, 200)
NEAR = 0.95
"""Share of the best gain that counts as having found it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One run: the unit that studies are made of, and a line of their result files."""

    table: str
    values: str
    """`measured`, `modelled` or `synthetic`."""
    method: str
    seed: int
    spoil: float
    best_gain: float
    """Of the table, in doublings."""
    budgets: tuple[int, ...]
    gains: tuple[float, ...]
    """In doublings, of the program that the search would hand over after each budget; 0 where there is none better than the first."""
    near_after: int | None
    """Judged candidates until 95 % of the best gain was found; None when it never was."""
    judged: int
    proposals: int
    seconds: float
    """Of all: asking, answering, judging, telling."""

    @property
    def key(self) -> tuple[str, str, int, float]:
        """What is run once."""
        return self.table, self.method, self.seed, self.spoil

    def share(self, budget: int) -> float:
        """Share of the table's best gain that was found within a budget; 1 where nothing is to be found."""
        if self.best_gain <= 0:
            return 1.0
        return self.gains[self.budgets.index(budget)] / self.best_gain

    def regret(self, budget: int) -> float:
        """Doublings short of the table's best."""
        return self.best_gain - self.gains[self.budgets.index(budget)]


def run_cell(
    table: Table,
    method: Method,
    *,
    seed: int,
    spoil: Spoil | None = None,
    budgets: Sequence[int] = BUDGETS,
    leaps: bool = True,
    merge: bool = True,
) -> Cell:
    """Run a search to the largest budget and note what it has at each; the search sees nothing of the table but answers.

    Raises:
        ConfigError: The search asked for what the table does not offer.
    """
    started = time.perf_counter()
    proposer = TableProposer(table, seed=seed, spoil=spoil, leaps=leaps, merge=merge)
    judge = TableJudge(table, proposer)
    search = method.open(context_for(table, proposer, budget=max(budgets), seed=seed))
    spent, curve, near_after = Spending(), [0.0], None
    best, best_gain = None, 0.0
    while isinstance(proposal := search.ask(), Proposal):
        candidate = proposer.propose(table.task, proposal)
        verdict = judge.evaluate(table.task, candidate)
        search.tell(proposal, candidate, verdict)
        is_new = spent.add(candidate, verdict)
        found = search.best()
        if found is not None and found is not best:
            best = found
            best_gain = max(0.0, table.gain(proposer.program_of(found.candidate)) or 0.0)
        if is_new:
            curve.append(best_gain)
        else:  # a duplicate costs nothing, but may change what a search that forgets hands over
            curve[-1] = best_gain
        if near_after is None and best_gain >= NEAR * table.best_gain:
            near_after = spent.candidates
    return Cell(
        table=table.name,
        values=table.values.value,
        method=method.name,
        seed=seed,
        spoil=spoil.share if spoil is not None else 0.0,
        best_gain=table.best_gain,
        budgets=tuple(budgets),
        gains=tuple(curve[min(budget, len(curve) - 1)] for budget in budgets),
        near_after=near_after,
        judged=spent.candidates,
        proposals=spent.proposals,
        seconds=time.perf_counter() - started,
    )


def context_for(table: Table, proposer: TableProposer, *, budget: int, seed: int) -> SearchContext:
    """What a search on the table is given."""
    return SearchContext(
        task_id=table.task.id,
        family=table.task.family,
        graph=table.graph,
        yardstick=table.yardstick,
        budget=Budget(candidates=budget),
        seed=seed,
        proposer=proposer.name,
        device=table.device,
        applicable=lambda candidate, transition: proposer.applicable(table.task, candidate, transition),
        reference=table.task.reference.source.text,
    )
