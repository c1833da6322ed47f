"""What to do after a failure: ask anew, or repair with the judge's feedback, whichever has the better record in this run.

Which is better depends on the proposer: fresh samples are independent draws for some, while others fail the same way each time. So both
are counted, as Beta means that start at the technique's own success (ask anew) and at `USUAL_REPAIR` (repair).
"""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from regrapht.records.proposal import Judged, Proposal
from regrapht.records.verdict import Status
from regrapht.search.statistics import Edge

USUAL_REPAIR = 0.4
WEIGHT_BEFORE = 3


class Recovery(StrEnum):
    """The two ways on from a failure."""

    REASK = "reask"
    REPAIR = "repair"


@dataclass(slots=True, eq=False)
class Expansion:
    """One visit of an edge until it ends in a correct program or in no more recoveries."""

    path: tuple[Edge, ...]
    """Edges from the root to the one that is asked, which is the last."""
    hoped: float
    """What the program asked at was worth when the visit began, in doublings."""
    way: Recovery | None = None
    """How to ask next; None for the first ask."""
    answers: int = 0
    """Answers told so far."""
    failed: Judged | None = None
    """The latest failure that has source, which a repair starts from."""
    can_repair: bool = True
    repairs: Counter[str] = field(default_factory=Counter)
    """Repairs told so far, by the candidate they started from."""

    @classmethod
    def begin(cls, path: tuple[Edge, ...]) -> "Expansion":
        """Begin a visit; until it ends it counts as one, and an untried edge is not asked by another."""
        path[-1].asks += 1
        for step in path:
            step.in_flight += 1
        return cls(path=path, hoped=path[-1].source.value)

    def end(self) -> None:
        """The visit that was out is one that was made."""
        for step in self.path:
            step.in_flight -= 1
            step.visits += 1

    def withdraw(self) -> None:
        """Undo a visit that told nothing: the machine's fault, or a technique that does not apply."""
        self.edge.asks -= 1
        for step in self.path:
            step.in_flight -= 1

    @property
    def edge(self) -> Edge:
        return self.path[-1]

    @property
    def is_overtaken(self) -> bool:
        """Another visit found something better below the same program meanwhile: the search has gone on from there."""
        return self.edge.source.value > self.hoped

    def take_in(self, proposal: Proposal, judged: Judged) -> None:
        """Remember what an answer means for asking on."""
        is_repair = self.way is Recovery.REPAIR
        if judged.verdict.status is Status.SKIPPED:
            self.can_repair &= not is_repair
            self.edge.is_exhausted |= not is_repair
            return
        self.answers += 1
        if is_repair and proposal.parent is not None:
            self.repairs[proposal.parent.candidate.id] += 1
        if not judged.verdict.passed and judged.candidate.source is not None:
            self.failed = judged


class RecoveryRecord:
    """How both ways have done in this run."""

    def __init__(self) -> None:
        self._tries = Counter[Recovery]()
        self._successes = Counter[Recovery]()

    def saw(self, way: Recovery, *, succeeded: bool) -> None:
        self._tries[way] += 1
        self._successes[way] += succeeded

    def choose(self, expansion: Expansion, success: float) -> Recovery | None:
        """The better of the ways that are open to a failed visit; None where neither is. `success` is the technique's own."""
        ways = {}
        if not expansion.edge.is_exhausted:
            ways[Recovery.REASK] = self._mean(Recovery.REASK, success)
        if expansion.can_repair and expansion.failed is not None:
            ways[Recovery.REPAIR] = self._mean(Recovery.REPAIR, USUAL_REPAIR)
        return max(ways, key=ways.__getitem__, default=None)

    def _mean(self, way: Recovery, before: float) -> float:
        return (self._successes[way] + WEIGHT_BEFORE * before) / (self._tries[way] + WEIGHT_BEFORE)
