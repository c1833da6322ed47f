"""Candidates of an earlier run, given again: for tests, for papers, for finishing a run without its model."""

from collections.abc import Iterable

from regrapht.errors import ConfigError
from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Judged, Proposal
from regrapht.records.run import Asked, Event
from regrapht.records.task import Task
from regrapht.records.technique import Transition


class ReplayProposer:
    """Answers each proposal with the candidate that the recorded run had for it.

    Args:
        events: The run's events in order. Proposals that it abandoned have no answer.
    """

    name = "replay"

    def __init__(self, events: Iterable[Event]) -> None:
        self._asked: dict[int, Proposal] = {}
        self._candidates: dict[int, Candidate] = {}
        for event in events:
            if isinstance(event, Asked):
                self._asked[event.proposal.id] = event.proposal
            elif isinstance(event, Judged):
                self._candidates[event.proposal_id] = event.candidate

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """The recorded candidate.

        Raises:
            ConfigError: The recording has no answer to this proposal, or asked for something else under its number: it is of another
                task, search, seed or graph.
        """
        recorded = self._asked.get(proposal.id)
        if recorded is not None and _question(recorded) != _question(proposal):
            raise ConfigError(
                f"the recorded run asked for {_words(recorded)} at proposal {proposal.id}, this one for {_words(proposal)}: "
                "replay it with the same task, search, seed and graph"
            )
        if proposal.id not in self._candidates:
            raise ConfigError(
                f"the recorded run has no answer to proposal {proposal.id}: give it a budget of at most {len(self._candidates)} proposals"
            )
        return self._candidates[proposal.id]

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """None: a recording knows only what was asked."""
        return None


def _question(proposal: Proposal) -> tuple[object, ...]:
    """What was asked for, as far as it decides the answer."""
    parent = proposal.parent.candidate.id if proposal.parent else None
    return (proposal.kind, parent, proposal.transition, proposal.attempt, proposal.seed)


def _words(proposal: Proposal) -> str:
    return f"{proposal.kind} {proposal.transition}" if proposal.transition else str(proposal.kind)
