"""One program that its author brings along: the answer to the request for a first program."""

from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import Transition

NAME = "given"


class GivenProposer:
    """Answers the first request for an initial program with `candidate`, and nothing else."""

    name = NAME

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """The program that was given, or a candidate without source."""
        if proposal.kind is ProposalKind.INITIAL and proposal.attempt == 0:
            return self._candidate
        return Candidate(
            source=None,
            program_hash=None,
            origin=Origin(proposer=NAME, seconds=0.0),
            no_source=NoSource.SKIPPED,
            reason="one program was given, and it was judged",
        )

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """False: it writes no program of its own."""
        return False
