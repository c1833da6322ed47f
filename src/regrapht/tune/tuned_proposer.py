"""Opening a program's parameters, and a proposer that also serves what tuning asks for: the parent at another setting of them."""

import json
import threading

from regrapht.errors import CannotTransform
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import Transition
from regrapht.tune.opening import CannotOpen, DoesNotFit, Opening


def open_up(task: Task, candidate: Candidate) -> Opening:
    """The candidate with its open parameters: those of its rules, or those that its `// tune:` lines declare.

    Raises:
        CannotOpen: It has none, or its `// tune:` lines are wrong; says why.
    """
    from regrapht.tune.decision_parameters import DecisionOpening
    from regrapht.tune.tune_lines import LineOpening, has_tune_lines

    if candidate.origin.decisions is not None:
        try:
            return DecisionOpening(task, candidate)
        except CannotTransform as error:
            raise CannotOpen(str(error)) from error
    if candidate.source is not None and has_tune_lines(candidate.source):
        return LineOpening(candidate)
    raise CannotOpen("it has no '// tune:' line, and comes without the rules that made it")


class TunedProposer:
    """Passes on to `inner` all that is not tuning."""

    def __init__(self, inner: Proposer) -> None:
        self.name = inner.name
        self._inner = inner
        self._opened: tuple[str, Opening] | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the inner one's model, if it has one."""
        if (close := getattr(self._inner, "close", None)) is not None:
            close()

    def doing(self) -> str:
        """What the inner one's model is at, in words; empty where it has none."""
        doing = getattr(self._inner, "doing", None)
        return "" if doing is None else str(doing())

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """As `Proposer.propose`."""
        if proposal.kind is not ProposalKind.TUNE:
            return self._inner.propose(task, proposal)
        assert proposal.parent is not None
        parent = proposal.parent.candidate
        try:
            return self._opening(task, parent).candidate(json.loads(proposal.notes))
        except (CannotOpen, DoesNotFit) as reason:
            return Candidate(
                source=None,
                program_hash=None,
                origin=Origin(proposer=self.name, seconds=0.0),
                parent=parent.id,
                techniques=parent.techniques,
                no_source=NoSource.SKIPPED,
                reason=str(reason),
            )

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """As `Proposer.applicable`."""
        return self._inner.applicable(task, candidate, transition)

    def serves(self, task: Task, proposal: Proposal) -> bool:
        """Whether the inner one can serve it; tuning always can be tried."""
        serves = getattr(self._inner, "serves", None)
        return proposal.kind is ProposalKind.TUNE or serves is None or bool(serves(task, proposal))

    def _opening(self, task: Task, parent: Candidate) -> Opening:
        """The parent, opened; the last one is kept, because a run tunes one program."""
        with self._lock:
            if self._opened is None or self._opened[0] != parent.id:
                self._opened = parent.id, open_up(task, parent)
            return self._opened[1]
