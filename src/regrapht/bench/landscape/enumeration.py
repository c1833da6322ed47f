"""Which programs a landscape holds: those the transform engine reaches, nearest first.

A technique is one step. A later setting of it counts as one step more for each setting before it, so that within a limit the table holds
ways of several techniques and not only every setting of the first. With one setting a technique this is breadth-first order. A larger
limit only adds programs at the end.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from regrapht.bench.landscape.records import Extent, RecordedTransition, Step
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import INIT, Transition
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.transform import BY_SLUG, PLAIN

Successors = Mapping[str, tuple[Candidate, ...]]
"""By technique, what each attempt at it gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A program that is in the table."""

    candidate: Candidate
    distance: int
    steps: int
    """Techniques after the first program, on the way that found it."""


class Enumeration:
    """The programs of one task, one by one.

    Args:
        successors: What follows a candidate, or the task where it is None; asked once a program.
    """

    def __init__(self, extent: Extent, successors: Callable[[Candidate | None], Successors]) -> None:
        self._extent, self._successors = extent, successors
        self.found: list[Found] = []
        self._numbers: dict[str, int] = {}
        self._first: tuple[Candidate, ...] = ()
        self._after: dict[str, Successors] = {}

    def programs(self) -> Iterator[Found]:
        """Each program when it enters the table, its successors known by then."""
        self._first = self._successors(None).get(PLAIN, ())
        ahead = [
            (attempt, attempt, Found(candidate=c, distance=attempt, steps=0)) for attempt, c in enumerate(self._first)
        ]
        serial = len(ahead)
        heapq.heapify(ahead)
        while ahead and len(self.found) < self._extent.programs:
            _, _, found = heapq.heappop(ahead)
            program = _hash_of(found.candidate)
            if program in self._numbers:
                continue
            self._numbers[program] = len(self.found)
            self.found.append(found)
            if found.steps < self._extent.depth:
                self._after[program] = self._successors(found.candidate)
                for ways in self._after[program].values():
                    for attempt, candidate in enumerate(ways):
                        distance = found.distance + 1 + attempt
                        heapq.heappush(
                            ahead,
                            (distance, serial, Found(candidate=candidate, distance=distance, steps=found.steps + 1)),
                        )
                        serial += 1
            yield found

    def first(self) -> tuple[Step, ...]:
        """The recorded first programs."""
        return self._steps(self._first, before=0)

    def transitions(self, found: Found) -> tuple[RecordedTransition, ...]:
        """The program's transitions to programs of the table."""
        before = len(found.candidate.techniques)
        after = self._after.get(_hash_of(found.candidate), {})
        steps = {slug: self._steps(ways, before=before) for slug, ways in sorted(after.items())}
        return tuple(RecordedTransition(technique=slug, steps=ways) for slug, ways in steps.items() if ways)

    def _steps(self, ways: tuple[Candidate, ...], *, before: int) -> tuple[Step, ...]:
        return tuple(
            Step(program=self._numbers[_hash_of(c)], techniques=c.techniques[before:])
            for c in ways
            if _hash_of(c) in self._numbers
        )


def successors(
    task: Task, proposer: Proposer, candidate: Candidate | None, attempts: int
) -> dict[str, tuple[Candidate, ...]]:
    """What the proposer makes of a candidate by every technique that the transform engine knows; of the task by the plain mapping.

    Raises:
        CannotTransform: The engine cannot take the task.
    """
    if candidate is None:
        return {PLAIN: _ways(task, proposer, None, PLAIN, attempts)}
    made = {slug: _ways(task, proposer, candidate, slug, attempts) for slug in BY_SLUG}
    return {slug: ways for slug, ways in made.items() if ways}


def _ways(task: Task, proposer: Proposer, parent: Candidate | None, slug: str, attempts: int) -> tuple[Candidate, ...]:
    ways: list[Candidate] = []
    source = parent.techniques[-1] if parent is not None and parent.techniques else INIT
    for attempt in range(attempts):
        proposal = Proposal(
            id=1,
            kind=ProposalKind.INITIAL if parent is None else ProposalKind.APPLY,
            parent=_as_parent(task, parent) if parent is not None else None,
            transition=None if parent is None else Transition(source, slug),
            attempt=attempt,
        )
        made = proposer.propose(task, proposal)
        if made.source is None:
            break
        ways.append(made)
    return tuple(ways)


def _as_parent(task: Task, candidate: Candidate) -> Judged:
    """The candidate as a proposal's parent before it is judged: the transform engine reads its decisions alone."""
    verdict = Verdict(
        status=Status.SKIPPED,
        level=Level.SCREEN,
        evaluator="none",
        task_hash=task.content_hash,
        candidate_id=candidate.id,
        reason="listed, not judged yet",
        no_timing="not_reached",
    )
    return Judged(proposal_id=1, candidate=candidate, verdict=verdict)


def _hash_of(candidate: Candidate) -> str:
    assert candidate.program_hash is not None, "only candidates with source are listed"
    return candidate.program_hash
