"""The proposer's interface: a proposal in, a candidate out.

Implementations: `transform` (a compiler of techniques on isl, needs no model), `language_model` and `replay`.
"""

from typing import Protocol

from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Proposal
from regrapht.records.task import Task
from regrapht.records.technique import Transition


class Proposer(Protocol):
    """Writes candidates; deterministic in (task, proposal), as far as its source of ideas is. Called from several threads at once."""

    name: str

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """The program asked for, or a candidate without source that says why there is none.

        Raises:
            CannotTransform: The engine cannot take this task at all.
            ModelUnavailable: The endpoint is down or out of its deadlines after all retries.
            ModelRefused: The provider declined for good.
        """
        ...

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """Whether the transition's technique can apply to the candidate; None when this proposer cannot know."""
        ...
