"""A search with its journal: every event is recorded before it takes effect, so the events alone give the run's state again."""

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from regrapht.errors import PluginError, SchemaError
from regrapht.records.proposal import Judged, Proposal, Wait
from regrapht.records.run import Abandoned, Asked, Event
from regrapht.records.verdict import Status
from regrapht.search.budget import Spending
from regrapht.search.search import Search


class Journal(Protocol):
    """Where events are kept; an appended event is safe."""

    def append(self, event: Event) -> object: ...


class JournalledSearch:
    """A fresh search whose events go to a journal first, if there is one, and then to an observer, if there is one."""

    def __init__(
        self, search: Search, *, journal: Journal | None = None, observer: Callable[[Event], None] | None = None
    ) -> None:
        self.search = search
        self.spent = Spending()
        self.passed: dict[str, Judged] = {}
        """The first answer with each program that passed, by the program's hash, in the order of being told."""
        self.skipped: str | None = None
        """Why the last answer was skipped, if one was."""
        self._journal, self._observer = journal, observer

    def replay(self, events: Sequence[Event]) -> list[Proposal]:
        """Bring the search to where an earlier run's events end, recording nothing; the proposals they leave unanswered.

        Raises:
            SchemaError: The search asks for something else than the events say, or an answer has no question.
        """
        out: dict[int, Proposal] = {}
        for event in events:
            if isinstance(event, Asked):
                out[event.proposal.id] = self._ask_again(event.proposal)
                continue
            if (proposal := out.pop(event.proposal_id, None)) is None:
                raise SchemaError(f"the run's events answer proposal {event.proposal_id}, which is not open there")
            if isinstance(event, Judged):
                self._take_in(proposal, event)
            else:
                self.search.abandon(proposal)
        return list(out.values())

    def ask(self) -> Proposal | Wait | None:
        """As `Search.ask`; a proposal is recorded before it is given out.

        Raises:
            PluginError: The search answers with something else.
        """
        proposal = self.search.ask()
        if proposal is not None and not isinstance(proposal, (Proposal, Wait)):
            raise PluginError(
                f"the search {type(self.search).__name__} answered ask with {type(proposal).__name__}, not with a Proposal, Wait() or None"
            )
        if isinstance(proposal, Proposal):
            self._record(Asked(proposal=proposal))
        return proposal

    def tell(self, proposal: Proposal, judged: Judged) -> None:
        """Record an answer, then tell the search."""
        self._record(judged)
        self._take_in(proposal, judged)

    def abandon(self, proposal: Proposal, *, reason: str) -> None:
        """Record that nobody could serve a proposal, then take it back."""
        self._record(Abandoned(proposal_id=proposal.id, reason=reason))
        self.search.abandon(proposal)

    def _ask_again(self, recorded: Proposal) -> Proposal:
        proposal = self.search.ask()
        if not isinstance(proposal, Proposal) or _question(proposal) != _question(recorded):
            raise SchemaError(
                f"the search does not ask for proposal {recorded.id} as recorded: the run was made by another version of regrapht, with "
                "another graph or with other settings; start a new run"
            )
        return proposal

    def finalists(self) -> list[Judged]:
        """Every program that passed: the search's best, then the others by time, else by modelled cost, else by the steps they took."""
        best = self.search.best()
        others = [one for one in self.passed.values() if best is None or one.candidate.id != best.candidate.id]
        return [*([best] if best is not None else []), *sorted(others, key=_cost)]

    def _take_in(self, proposal: Proposal, judged: Judged) -> None:
        self.search.tell(proposal, judged.candidate, judged.verdict)
        self.spent.add(judged.candidate, judged.verdict)
        if judged.verdict.status is Status.SKIPPED and judged.candidate.chosen is None:
            self.skipped = judged.verdict.reason
        if judged.verdict.passed:
            self.passed.setdefault(judged.candidate.program_hash or judged.candidate.id, judged)

    def _record(self, event: Event) -> None:
        if self._journal is not None:
            self._journal.append(event)
        if self._observer is not None:
            self._observer(event)


def _cost(judged: Judged) -> tuple[float, float, int]:
    verdict = judged.verdict
    time = math.inf if verdict.time_us is None else verdict.time_us
    modelled = math.inf if verdict.evidence is None else verdict.evidence.modelled_cost
    return time, modelled, len(judged.candidate.techniques)


def _question(proposal: Proposal) -> tuple[object, ...]:
    """What makes a proposal that proposal; exemplars and dialogue follow from these."""
    parent = proposal.parent.candidate.id if proposal.parent is not None else None
    return proposal.id, proposal.kind, parent, proposal.transition, proposal.attempt, proposal.seed, proposal.notes
