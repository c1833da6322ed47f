"""Feature Search and Reinforcement, the search of CUDA-LLM (arXiv 2506.09092): N candidates from one request, D rounds.

    request <- the task
    for each round: N candidates, each judged
        none is valid: quote the failure that got furthest, and ask for a repair      (correctness path)
        some are:      quote the fastest, and ask for a faster one                    (performance path)

What the paper leaves open is decided here: a round lost to failures counts and does not end the search, the best so far is kept (option:
the last round's, as the paper's text has it), the turns so far are carried as a dialogue (option: dropped), and a round without any program
to quote is asked again with the failure that got furthest shown.
"""

from collections import Counter
from dataclasses import dataclass, replace

from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.verdict import Status
from regrapht.search.accounting import AccountedSearch
from regrapht.search.context import SearchContext
from regrapht.search.reward import reward

USUAL_ROUNDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureSearchSettings:
    """Dials of the search. `candidates` times `rounds` is its budget."""

    candidates: int = 5
    rounds: int | None = None
    """None: as many as the run's limit of candidates holds, four without such a limit."""
    keep_best: bool = True
    """Go on from the best program so far; False: from the last round's, however slow."""
    history: bool = True
    """Carry the turns so far."""


@dataclass(frozen=True, slots=True)
class Request:
    """What one round asks for, N times."""

    kind: ProposalKind
    parent: Judged | None = None
    history: tuple[Judged, ...] = ()

    @property
    def key(self) -> tuple[ProposalKind, str]:
        return self.kind, self.parent.candidate.id if self.parent else ""


class FeatureSearch(AccountedSearch):
    """FSR; see the module."""

    name = "fsr"

    def __init__(self, context: SearchContext, settings: FeatureSearchSettings | None = None) -> None:
        super().__init__(context)
        self.settings = settings or FeatureSearchSettings()
        self._request = Request(ProposalKind.INITIAL)
        self._rounds_done = 0
        self._to_ask = list(range(self.settings.candidates))
        self._answers: list[Judged] = []
        self._last_fastest: Judged | None = None
        self._asked_before: Counter[tuple[ProposalKind, str]] = Counter()

    def best(self) -> Judged | None:
        """The best so far; without `keep_best`, the fastest of the last round that had a correct one."""
        return self._best if self.settings.keep_best else self._fastest() or self._last_fastest

    def _next(self, number: int) -> Proposal | None:
        if not self._to_ask:
            return None
        return Proposal(
            id=number,
            kind=self._request.kind,
            parent=self._request.parent,
            history=self._request.history,
            attempt=self._to_ask.pop(0),
            seed=self._seed(number),
            in_full=self._best is None,
        )

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        self._answers.append(judged)
        if len(self._answers) == self.settings.candidates:
            self._end_round()

    def _forget(self, proposal: Proposal) -> None:
        self._to_ask.append(proposal.attempt)
        self._to_ask.sort()

    def _end_round(self) -> None:
        self._rounds_done += 1
        self._asked_before[self._request.key] += self.settings.candidates
        if self._request.parent is None and all(one.verdict.status is Status.SKIPPED for one in self._answers):
            return  # nobody can write a first program
        self._request = self._next_request()
        self._answers = []
        if self._rounds_done < self._rounds():
            first = self._asked_before[self._request.key]
            self._to_ask = list(range(first, first + self.settings.candidates))

    def _rounds(self) -> float:
        if self.settings.rounds is not None:
            return self.settings.rounds
        return USUAL_ROUNDS if self.context.budget.candidates is None else float("inf")

    def _next_request(self) -> Request:
        if fastest := self._fastest():
            self._last_fastest = fastest
            kept = (self._best,) if self.settings.keep_best and self._best else ()
            return self._first_served(ProposalKind.IMPROVE, [*kept, *self._right()])
        with_source = [judged for judged in self._answers if judged.candidate.source is not None]
        if with_source and self.context.repair:
            return self._first_served(ProposalKind.REPAIR, sorted(with_source, key=self._progress, reverse=True))
        failed = max(self._answers, key=self._progress)
        if not self.settings.history or failed.verdict.status is Status.SKIPPED:
            return self._request
        return replace(self._request, history=(*self._request.history, failed))

    def _quote(self, kind: ProposalKind, judged: Judged) -> Request:
        """A request about one program, after the programs quoted before it."""
        last, history = self._request.parent, self._request.history
        if self.settings.history and last is not None and last is not judged:
            history = (*history, last)
        return Request(kind, judged, history)

    def _first_served(self, kind: ProposalKind, programs: list[Judged]) -> Request:
        """A request about the first of the programs that the proposer can be asked about; about none of them another first program."""
        for one in programs:
            if self._can_serve(Proposal(id=1, kind=kind, parent=one)):
                return self._quote(kind, one)
        return Request(ProposalKind.INITIAL)

    def _right(self) -> list[Judged]:
        """The round's correct programs, the fastest first."""
        return sorted((judged for judged in self._answers if judged.verdict.passed), key=self._rank, reverse=True)

    def _fastest(self) -> Judged | None:
        return next(iter(self._right()), None)

    def _progress(self, judged: Judged) -> tuple[float, int]:
        """How far a failure got; of equal ones the first that was asked for."""
        return reward(judged.verdict, self.context.yardstick), -judged.proposal_id
