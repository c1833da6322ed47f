"""Recording a landscape: list programs on this thread, judge them on others, judge the best in full; in slices, if time is short."""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from regrapht.bench.landscape.enumeration import Enumeration, Found, Successors, successors
from regrapht.bench.landscape.journal import RecordingJournal
from regrapht.bench.landscape.records import Extent, Landscape, RecordedProgram, trimmed
from regrapht.evaluate.evaluator import Evaluator
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict
from regrapht.search.reward import doublings

AHEAD = 4
"""Programs listed and not judged, a worker: a recording that is cut short then has verdicts for nearly all that it listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a recording is."""

    listed: int
    judged: int
    passed: int
    best: float
    """Doublings of the yardstick's start, of its figure: measured time or modelled cost."""


class _OutOfTime(Exception):
    """The deadline came before the end."""


def record_landscape(
    task: Task,
    *,
    evaluator: Evaluator,
    extent: Extent,
    journal: Path,
    workers: int = 2,
    seconds: float | None = None,
    observer: Callable[[Progress], None] | None = None,
) -> Landscape | None:
    """The landscape of a task, or None when `seconds` were over first: the journal keeps what was done, and the same call goes on.

    However short the time, a call gets one step further, so that slices come to an end. A smaller extent than the journal's recording
    began with takes what is there; a larger one goes on.

    Raises:
        CannotTransform: The transform engine cannot take the task.
        InvalidTask: As `Evaluator.prepare`.
        ConfigError: The journal is another recording's.
        EvaluatorUnavailable: The judge failed; the journal can be gone on with.
    """
    task = replace(task, folder=None)
    about = {
        "task": task.content_hash,
        "evaluator": evaluator.name,
        "protocol": evaluator.protocol,
        "device": evaluator.environment().device,
        "attempts": extent.attempts,
    }
    deadline = time.monotonic() + (float("inf") if seconds is None else seconds)
    with closing(RecordingJournal(journal, about)) as kept:
        work = _Recording(task, evaluator, extent, kept, deadline)
        try:
            return work.carry_out(workers, observer or (lambda progress: None))
        except _OutOfTime:
            return None


class _Recording:
    """One call's work."""

    def __init__(
        self, task: Task, evaluator: Evaluator, extent: Extent, journal: RecordingJournal, deadline: float
    ) -> None:
        self._task, self._evaluator, self._extent = task, evaluator, extent
        self._journal, self._deadline = journal, deadline
        self._proposer = TransformProposer()
        self._judging: dict[str, Future[Verdict]] = {}
        self._got_further = False
        self._listing = Enumeration(extent, self._successors)

    def carry_out(self, workers: int, observer: Callable[[Progress], None]) -> Landscape:
        plain = self._proposer.plain(self._task)
        yardstick = self._evaluator.prepare(self._task, plain)
        if self._journal.yardstick is None:
            self._journal.add_yardstick(yardstick)
        yardstick = self._journal.yardstick or yardstick
        pool = ThreadPoolExecutor(max_workers=workers)
        try:
            for found in self._listing.programs():
                self._submit(pool, found.candidate, Level.SCREEN)
                self._await(yardstick, observer, at_most=AHEAD * workers)
            self._await(yardstick, observer, at_most=0)
            self._submit_best(pool, yardstick)
            self._await(yardstick, observer, at_most=0)
        finally:
            pool.shutdown(cancel_futures=True)  # what is in hand is finished and kept
            self._keep_finished()
        return self._landscape(yardstick)

    def _await(self, yardstick: Yardstick, observer: Callable[[Progress], None], *, at_most: int) -> None:
        """Go on when no more than so many judgements are out."""
        while True:
            self._keep_finished()
            observer(self._progress(yardstick))
            self._check_time()
            if len(self._judging) <= at_most:
                return
            wait(self._judging.values(), timeout=1.0, return_when=FIRST_COMPLETED)

    def _submit_best(self, pool: ThreadPoolExecutor, yardstick: Yardstick) -> None:
        """Have the best judged in full."""
        passed = [found for found in self._listing.found if self._screened(found).passed]
        passed.sort(key=lambda found: -(doublings(self._screened(found), yardstick) or 0.0))
        for found in passed[: self._extent.full]:
            self._submit(pool, found.candidate, Level.FULL)

    def _submit(self, pool: ThreadPoolExecutor, candidate: Candidate, level: Level) -> None:
        if self._journal.verdict(candidate.id, level) is None:
            judge = self._evaluator.evaluate
            self._judging[candidate.id] = pool.submit(judge, self._task, candidate, level=level)
            self._got_further = True

    def _keep_finished(self) -> None:
        """Move finished verdicts to the journal; a judge's exception comes out here."""
        for candidate_id, future in list(self._judging.items()):
            if future.done():
                del self._judging[candidate_id]
                if not future.cancelled():
                    self._journal.add_verdict(trimmed(future.result()))

    def _successors(self, candidate: Candidate | None) -> Successors:
        program = candidate.program_hash if candidate is not None else None
        known = self._journal.successors(program)
        if known is None:
            self._check_time()
            known = successors(self._task, self._proposer, candidate, self._extent.attempts)
            self._journal.add_successors(program, known)
            self._got_further = True
        return known

    def _check_time(self) -> None:
        if self._got_further and time.monotonic() >= self._deadline:
            raise _OutOfTime

    def _screened(self, found: Found) -> Verdict:
        verdict = self._journal.verdict(found.candidate.id, Level.SCREEN)
        assert verdict is not None, "every listed program is screened by now"
        return verdict

    def _progress(self, yardstick: Yardstick) -> Progress:
        verdicts = [self._journal.verdict(found.candidate.id, Level.SCREEN) for found in self._listing.found]
        gains = [doublings(verdict, yardstick) or 0.0 for verdict in verdicts if verdict is not None and verdict.passed]
        return Progress(
            listed=len(verdicts),
            judged=sum(verdict is not None for verdict in verdicts),
            passed=len(gains),
            best=max(gains, default=0.0),
        )

    def _landscape(self, yardstick: Yardstick) -> Landscape:
        return Landscape(
            task=self._task,
            evaluator=self._evaluator.name,
            protocol=self._evaluator.protocol,
            environment=self._evaluator.environment(),
            yardstick=yardstick,
            extent=self._extent,
            recorded=datetime.now(UTC).date().isoformat(),
            first=self._listing.first(),
            programs=tuple(self._program(found) for found in self._listing.found),
        )

    def _program(self, found: Found) -> RecordedProgram:
        candidate = found.candidate
        assert candidate.source is not None and candidate.program_hash is not None and candidate.origin.decisions
        verdicts = [self._journal.verdict(candidate.id, level) for level in (Level.SCREEN, Level.FULL)]
        return RecordedProgram(
            source=candidate.source,
            program_hash=candidate.program_hash,
            decisions=candidate.origin.decisions,
            distance=found.distance,
            verdicts=tuple(verdict for verdict in verdicts if verdict is not None),
            transitions=self._listing.transitions(found),
        )
