"""Two writers on one budget: rules, which cost no request, and a model, for what no rule does.

Each has a search of its own. The rules' asks what it would ask alone, in the same order, and the model is asked at the programs that rules
made (the best first) for techniques that there is no rule for. So a model that adds nothing costs a few candidates (`Turns`) and leads
nobody astray.

A program of the rules in which one thread does the work is no result, and is not gone on from: there the model writes a first program, as
where the rules have none.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from regrapht.records.candidate import Candidate, Writer
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.technique import Transition
from regrapht.search.accounting import AccountedSearch
from regrapht.search.concurrency import supported
from regrapht.search.context import SearchContext
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings, is_near_floor
from regrapht.search.reward import doublings

STALE = 3
"""Where candidates are not limited: so many judged programs of rules without a gain come before the model's turn."""
STALE_WITHOUT = 1
"""The same while no program is a result, whatever the limit: rules that give threads go first."""
GAIN = 0.015
"""In doublings: one percent, below which nothing was gained."""
SHARE = 1 / 8
"""Of the judged candidates, what a model may take that has not gained anything."""
SHARE_WITHOUT = 3 / 4
"""The same while rules have no program, or only one of one thread."""
EARNED = 3
"""Further candidates for each gain of the model's."""
UNJUDGED = 0.25
"""What an answer without a new program counts, in candidates: it costs a request, and no judgement."""
FEWEST_ASKS = 8
"""So often in a row a model is asked in vain, however small the budget, before it is asked no more."""
RECOVERIES = 1
"""Of a failed technique of the model's: another one is worth more than a second repair."""


@dataclass(slots=True)
class Turns:
    """Whether the model may be asked while rules have something to ask: in the second half of the budget, evenly, so that it works on what
    rules have come to.

    Args:
        candidates: The budget; None for one without such a limit.
    """

    candidates: int | None
    taken: float = 0.0
    """What the model's answers count, in candidates."""
    in_vain: int = 0
    """The model's answers since its last new program."""
    judged: int = 0
    """Programs of the rules."""
    stale: int = 0
    """Those since the rules' last gain."""
    gains: int = 0
    """Of the model."""
    best: float | None = None
    """In doublings; None while nothing passed."""
    has_result: bool = False
    """Whether a program passed that more than one thread runs."""

    def saw(self, writer: Writer, value: float | None, *, is_new: bool, serial: bool = False) -> None:
        """Take in an answer.

        Args:
            value: In doublings; None for a failure.
            is_new: Whether it counts as a judged candidate.
            serial: Whether one thread does the work.
        """
        gained = value is not None and (self.best is None or value > self.best + GAIN)
        if value is not None:
            self.best = value if self.best is None else max(self.best, value)
            self.has_result |= not serial
        if writer is Writer.MODEL:
            self.taken += 1.0 if is_new else UNJUDGED
            self.in_vain = 0 if is_new else self.in_vain + 1
            self.gains += gained
        else:
            self.judged += is_new
            self.stale = 0 if gained else self.stale + is_new

    def model_is_spent(self, out: int) -> bool:
        """Whether it was asked in vain as often in a row as the budget has candidates: what is not judged has no other end."""
        return self.candidates is not None and self.in_vain + out >= max(FEWEST_ASKS, self.candidates)

    def model_is_due(self, out: int) -> bool:
        """Whether the model is next, with so many of its answers being waited for."""
        if self.best is None:
            return False
        so_far, taken, earned = self.judged + self.taken, self.taken + out, EARNED * self.gains
        if not self.has_result:
            return self.stale >= STALE_WITHOUT and taken < SHARE_WITHOUT * so_far
        if self.candidates is None:
            return self.stale >= STALE and taken < SHARE * so_far + earned
        beyond_half = so_far - self.candidates / 2
        return taken < 2 * SHARE * beyond_half + earned and taken < max(1, int(SHARE * self.candidates)) + earned


class TwoWriters(AccountedSearch):
    """A search with rules and a model; see the module.

    Args:
        context: With `rules`.
        kind: The search that each of the two has, and whose name this one has.
    """

    def __init__(
        self, context: SearchContext, kind: type[GraphSearch], settings: GraphSearchSettings | None = None
    ) -> None:
        super().__init__(context)
        assert context.rules is not None, "two writers are rules and a model"
        self.name = kind.name
        self._in_one_thread = context.rules.in_one_thread
        self.settings = settings or GraphSearchSettings()
        alone = replace(self.settings, patience=0.0, enough=None)  # budget and end are kept here
        self._rules = kind(_for_rules(context), alone)
        self._model = kind(_for_model(context), replace(alone, recoveries=min(RECOVERIES, alone.recoveries)))
        self._turns = Turns(context.budget.candidates)
        self._asked_by: dict[int, Writer] = {}

    def _next(self, number: int) -> Proposal | None:
        """The next of whose turn it is; of the other one where that has nothing to ask."""
        spent, budget = self._meter.spent.candidates, self.context.budget.candidates
        if len(self._out) >= supported(spent, candidates=budget, patience=self.settings.patience):
            return None
        for writer in self._order():
            proposal = self._side(writer)._next_served(number)
            if proposal is not None:
                self._asked_by[number] = writer
                return replace(proposal, asked_of=writer)
            if writer is Writer.RULE and Writer.RULE in self._asked_by.values():
                return None  # they wait, and have not come to an end
        return None

    def _order(self) -> Iterator[Writer]:
        writers = Writer.RULE, Writer.MODEL
        asked = sum(
            self._asked_by[number] is Writer.MODEL
            for number, proposal in self._out.items()
            if proposal.kind is not ProposalKind.CHOOSE
        )
        if self._turns.model_is_spent(asked):
            yield Writer.RULE
        else:
            yield from reversed(writers) if self._turns.model_is_due(asked) else writers

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        writer = self._asked_by.pop(proposal.id)
        self._side(writer)._learn(proposal, judged, is_new=is_new)
        if proposal.kind is ProposalKind.CHOOSE:
            return
        value = doublings(judged.verdict, self.context.yardstick)
        serial = judged.verdict.passed and self._in_one_thread(judged)
        self._turns.saw(writer, value, is_new=is_new, serial=serial)
        if writer is Writer.RULE and judged.verdict.passed and not serial:
            self._model.take_up(judged)

    def _forget(self, proposal: Proposal) -> None:
        self._side(self._asked_by.pop(proposal.id))._forget(proposal)

    def _side(self, writer: Writer) -> GraphSearch:
        return self._rules if writer is Writer.RULE else self._model

    def _is_done(self) -> bool:
        return self._best is not None and is_near_floor(self._best, self.context.yardstick, self.settings.enough)


def _for_rules(context: SearchContext) -> SearchContext:
    """What the rules' search is given: the same as if there was no model."""
    rules = context.rules
    assert rules is not None
    return replace(
        context,
        rules=None,
        proposer=rules.name,
        applicable=lambda candidate, transition: bool(rules.applicable(candidate, transition)),
        serves=rules.serves,
        choice_weight=0.0,
    )


def _for_model(context: SearchContext) -> SearchContext:
    """What the model's search is given: no technique that a rule applies, or that rules know to be out of place."""
    rules, applicable = context.rules, context.applicable
    assert rules is not None

    def fits(candidate: Candidate, transition: Transition) -> bool | None:
        if rules.applicable(candidate, transition) is not None:
            return False
        return None if applicable is None else applicable(candidate, transition)

    return replace(context, rules=None, applicable=fits)
