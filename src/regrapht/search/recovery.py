"""What to do after a failure: repair with the judge's feedback, or ask anew and say what failed.

A program that was written freely and failed in a way that its feedback points at (`MENDABLE`) is repaired first, two turns at most: small
models mend most wrong names and few wrong results, and a third turn is worth less than another try. After that, and after all other
failures, that way comes next which has the better record in this run, because it depends on the proposer: fresh samples are independent
draws for some, while others fail the same way each time. An answer that was judged before says that what was shown is copied: its repair
is given up, and the next ask anew shows nothing that failed. A repair that fails just as before it is the last, and an ask anew for a
technique that does, or that holds no program for the same reason twice, ends the technique for that program: other edges wait. Where
`HOPELESS` repairs of this run came to nothing, repairing is not first any more, and the records decide. Records are Beta means that start
at the technique's own success (ask anew) and at `USUAL_REPAIR` (repair). For a program that rules made, a repair is one more setting like
any other, and only the records count.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from regrapht.records.candidate import Writer
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.search.reward import progress
from regrapht.search.statistics import Edge

USUAL_REPAIR = 0.4
WEIGHT_BEFORE = 3
REPAIR_TURNS = 2
"""Repairs of a freely written program in one visit; those that a machine makes out of the judge's hints are not counted."""
HOPELESS = 4
"""So many repairs without one that passed."""
FREE_HINTS = 2
"""Mechanical repairs in one visit that do not count as recoveries: they are nearly free, but without end they would not be."""
MENDABLE = frozenset(
    {
        Status.BUILD_FAILED,
        Status.POLICY_REJECTED,
        Status.OUT_OF_BOUNDS,
        Status.RACE,
        Status.UNINITIALISED_READ,
        Status.BARRIER_FAULT,
        Status.CRASHED,
        Status.BAD_POINTER,
        Status.MISALIGNED,
        Status.UNWRITTEN,
    }
)
"""Failures whose feedback names a place or a cause."""
_LINE = re.compile(r"\(\d+\)|:\d+:(?:\d+:)?")
"""Where a compiler says that an error stands."""


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
    """Answers told so far, but for the first mechanical repairs."""
    hints: int = 0
    """Mechanical repairs told so far."""
    failed: Judged | None = None
    """The failure that a repair starts from: the latest that has source, unless the repair that made it led further away."""
    stray: Judged | None = None
    """The latest repair of `failed` that led further away."""
    can_repair: bool = True
    repeats: bool = False
    """Whether an ask anew failed just as what was told of before it."""
    repairs: Counter[str] = field(default_factory=Counter)
    """Repairs told so far, by the candidate they started from."""

    @classmethod
    def begin(cls, path: tuple[Edge, ...], *, can_repair: bool = True) -> "Expansion":
        """Begin a visit; until it ends it counts as one, and an untried edge is not asked by another."""
        path[-1].asks += 1
        for step in path:
            step.in_flight += 1
        return cls(path=path, hoped=path[-1].source.value, can_repair=can_repair)

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

    @property
    def is_repaired_first(self) -> bool:
        """Whether the failure at hand is one that a repair is tried for before anything else."""
        if self.failed is None or not is_free(self.failed):
            return False
        verdict = self.failed.verdict
        nearly_right = (
            self.edge.transition is None and verdict.level is Level.FULL
        )  # a first program that passed the screening
        return nearly_right or verdict.status in MENDABLE

    @property
    def has_turns(self) -> bool:
        """Whether another repair may be asked for; one of a program that rules made always may."""
        if self.failed is None or not self.can_repair:
            return False
        return not is_free(self.failed) or self.repairs.total() - self.hints < REPAIR_TURNS

    def request(self) -> tuple[ProposalKind, Judged | None, tuple[Judged, ...]]:
        """What to ask for next, at which program, and what is told of earlier attempts."""
        edge, parent = self.edge, self.edge.source.judged
        if self.way is Recovery.REPAIR and self.failed is not None:
            return ProposalKind.REPAIR, self.failed, (self.stray,) if self.stray is not None else ()
        kind = ProposalKind.INITIAL if parent is None else ProposalKind.APPLY
        return kind, parent, (edge.failed,) if edge.failed is not None and not edge.is_copied else ()

    def take_in(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        """Remember what an answer means for asking on; `is_new` is False for a program that was judged before."""
        is_repair = self.way is Recovery.REPAIR
        if judged.verdict.status is Status.SKIPPED:
            self.can_repair &= not is_repair
            self.edge.is_exhausted |= not is_repair
            return
        is_hint = judged.candidate.writer is Writer.HINT
        self.answers += not (is_hint and self.hints < FREE_HINTS)
        self.hints += is_hint
        if is_repair and proposal.parent is not None:
            self.repairs[proposal.parent.candidate.id] += 1
        if judged.verdict.passed:
            return
        if not is_new and judged.candidate.source is not None and is_free(judged) and not is_hint:
            self.edge.is_copied = True
            self.can_repair &= not is_repair
        if not is_hint and is_free(judged) and self.edge.failed is not None and _is_same(self.edge.failed, judged):
            self.can_repair &= not is_repair
            self.repeats |= not is_repair
            self.edge.is_exhausted |= not is_repair and self.edge.transition is not None
        self.edge.failed = judged
        if is_repair and is_free(judged) and self._led_away(judged):
            self.stray = judged
        elif judged.candidate.source is not None:
            self.failed, self.stray = judged, None

    def _led_away(self, judged: Judged) -> bool:
        """Whether a repair got less far than the program that it was to repair."""
        return self.failed is not None and progress(judged.verdict) < progress(self.failed.verdict)


def _is_same(before: Judged, after: Judged) -> bool:
    """Whether two answers fail in the same way, lines aside: at one element of one array, at one word, or for one reason to hold no
    program. False where none is named."""
    if after.candidate.source is None:
        return before.candidate.source is None and before.candidate.reason == after.candidate.reason
    fault = _fault(after.verdict)
    return before.verdict.status is after.verdict.status and fault != "" and _fault(before.verdict) == fault


def _fault(verdict: Verdict) -> str:
    """The first thing that a memory checker or a compiler names, without its line."""
    for found in verdict.findings:
        return f"{found.kind} {found.kernel} {found.message}"
    errors = (line for stage in verdict.stages for line in stage.output.splitlines() if "error" in line)
    return _LINE.sub("", next(errors, ""))


def is_free(judged: Judged) -> bool:
    """Whether a program was written freely, and not by rules."""
    return judged.candidate.origin.decisions is None


class RecoveryRecord:
    """How both ways have done in this run."""

    def __init__(self) -> None:
        self._tries = Counter[Recovery]()
        self._successes = Counter[Recovery]()

    def saw(self, way: Recovery, *, succeeded: bool) -> None:
        self._tries[way] += 1
        self._successes[way] += succeeded

    def choose(self, expansion: Expansion, success: float) -> Recovery | None:
        """The way on from a failed visit; None where neither is open. `success` is the technique's own."""
        hopeless = self._tries[Recovery.REPAIR] >= HOPELESS and not self._successes[Recovery.REPAIR]
        if expansion.has_turns and expansion.is_repaired_first and not hopeless:
            return Recovery.REPAIR
        ways = {}
        if not expansion.edge.is_exhausted:
            ways[Recovery.REASK] = self._mean(Recovery.REASK, success)
        if expansion.has_turns:
            ways[Recovery.REPAIR] = self._mean(Recovery.REPAIR, USUAL_REPAIR)
        return max(ways, key=ways.__getitem__, default=None)

    def _mean(self, way: Recovery, before: float) -> float:
        return (self._successes[way] + WEIGHT_BEFORE * before) / (self._tries[way] + WEIGHT_BEFORE)
