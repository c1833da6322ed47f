"""The loop: ask a search, have the proposal served and judged, tell the search; in the end judge the best in full.

The search stays on the calling thread; workers only propose and evaluate. Every event is journalled when it happens.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from regrapht.errors import ConfigError, InvalidTask, ModelRefused, PluginError, Unavailable
from regrapht.evaluate.evaluator import Evaluator
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Judged, Proposal
from regrapht.records.run import NOTHING_JUDGED, WORKERS, Event
from regrapht.records.task import Task
from regrapht.records.verdict import SCREENED_ONLY, Level, Status, Verdict
from regrapht.sandbox.giving_up import given_up_with, is_given_up, require_awaited
from regrapht.search.journalled import Journal, JournalledSearch
from regrapht.search.search import Search

Answer = TypeVar("Answer")
NO_TIME_IN_FULL = "no_time_in_full"
"""The label of a run's best, with a number: of so many better programs, none was judged in full before the time was up."""
_LOOK_S = 0.2
"""How often the loop looks whether the run is to end while it waits for its workers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizeSettings:
    """How a run is carried out, as opposed to what its search chooses."""

    level_search: Level = Level.SCREEN
    level_final: Level = Level.FULL
    workers: int = 1
    finalists: int = 3
    """So many of the programs that passed are tried in full, the best first, until one passes, even when the time is just up (`leave_s`);
    the others are tried after them while there is time."""
    seconds: float | None = None
    """How long the run may take, counted from the call. The first program that passes is judged in full there and then: as long as that
    took, half of the limit at most, is kept for the finalists, and nothing is asked in it."""
    leave_s: float = 2.0
    """So long after its time is up, or the run is to stop, a proposer may still answer and a judgement end: what hangs holds nobody up."""
    retries: int = 2
    """After machine or service failed, each after `pause_s`; then the proposal is abandoned."""
    patience_s: float = 60.0
    """What took longer to fail is not tried again: a model that was waited for was also asked several times (`llm.retry`)."""
    pause_s: float = 5.0
    outages: int = 3
    """So many abandoned proposals in a row end the run with the error; it can be resumed."""

    def __post_init__(self) -> None:
        if min(self.workers, self.finalists, self.outages) < 1:
            raise ConfigError("workers, finalists and outages are at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run came to. `judged`: charged to the budget.

    `reason`: `finished`, `seconds`, `interrupted`, `refused: ...`, or `nothing was judged: ...` where every answer was skipped.
    """

    best: Judged | None
    """Passed in full. Where the run was interrupted, or its time was up before any program had, the best so far, labelled `screened_only`.
    None when no finalist passed."""
    judged: int
    reason: str
    finals: tuple[Judged, ...] = ()

    @property
    def rests_on(self) -> tuple[Verdict, ...]:
        """The verdicts in full that refused a program, and the best's."""
        refused = tuple(final.verdict for final in self.finals if not final.verdict.passed)
        return (*refused, self.best.verdict) if self.best is not None else refused


class _Clock:
    """How long a run may take, and how much of that its finalists need."""

    def __init__(self, settings: OptimizeSettings, stop: threading.Event) -> None:
        self._limit_s = float("inf") if settings.seconds is None else settings.seconds
        self._end, self.leave_s, self._stop = time.monotonic() + self._limit_s, settings.leave_s, stop
        self._in_full_s = 0.0
        self._stopped_at = float("inf")

    def took_in_full(self, seconds: float) -> None:
        """Learn what a judgement in full takes here."""
        self._in_full_s = max(self._in_full_s, seconds)

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()

    @property
    def reason(self) -> str:
        """Why a phase is over."""
        return "interrupted" if self.stopped else "seconds"

    def asking(self) -> "_Phase":
        """The search: over when the finalists need the rest of the time."""
        return _Phase(self, lambda: self._over_at(kept_s=min(self._in_full_s, self._limit_s / 2)))

    def finals(self) -> "_Phase":
        """What comes after the search."""
        return _Phase(self, self._over_at)

    def _over_at(self, kept_s: float = 0.0) -> float:
        if self.stopped:
            self._stopped_at = min(self._stopped_at, time.monotonic())
        return min(self._end - kept_s, self._stopped_at)


class _Phase:
    """A part of a run: once it is over nothing is begun in it, and a while later what is in hand is given up."""

    def __init__(self, clock: _Clock, over_at: Callable[[], float]) -> None:
        self._clock, self._over_at = clock, over_at
        self._left = threading.Event()

    @property
    def over(self) -> bool:
        return self._over_at() <= time.monotonic()  # in this order: a stop is noticed by the first

    @property
    def left(self) -> bool:
        """Whether what is in hand is given up; asking ends what runs in sandboxes for it."""
        if self._over_at() + self._clock.leave_s <= time.monotonic():
            self._left.set()
        return self._left.is_set()

    def start(self, pool: ThreadPoolExecutor, work: Callable[[], Answer]) -> "Future[Answer]":
        """Have the work done in the pool, to be given up with this phase."""

        def until_left() -> Answer:
            with given_up_with(self._left):
                return work()

        return pool.submit(until_left)


def run_search(
    task: Task,
    *,
    search: Search,
    proposer: Proposer,
    evaluator: Evaluator,
    settings: OptimizeSettings,
    journal: Journal | None = None,
    replayed: Sequence[Event] = (),
    observer: Callable[[Event], None] | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Run a fresh search to its end, or on from where `replayed`, an earlier run's journal, left it.

    Replayed events are not journalled or observed again, and what they leave unanswered is served as it was asked. Setting `stop` ends the
    run after the step in hand. Judgements in full are not events: a resumed run makes them again.

    Raises:
        SchemaError: The replayed events do not fit this search.
        Unavailable: Machine or service failed for longer than the settings bear; the journal can be resumed.
        CannotTransform, InvalidTask: The task cannot be optimised by this proposer, or at all.
    """
    stop = stop or threading.Event()
    clock = _Clock(settings, stop)
    run = JournalledSearch(search, journal=journal, observer=observer)
    steps = _Steps(task, proposer, evaluator, settings, clock, stop)
    reason = _search(run, steps, run.replay(replayed), settings, clock)
    if reason == "finished" and run.spent.candidates == 0 and run.skipped is not None:
        reason = f"{NOTHING_JUDGED}: {run.skipped}"
    finalists = [] if reason == "interrupted" else run.finalists()
    finals, untried = _finals(finalists, steps, settings, clock)
    best = finals[-1] if finals and finals[-1].verdict.passed else None
    if best is None and run.passed and stop.is_set():
        reason = "interrupted"
    labels = [
        f"refused_in_full {final.candidate.id[:12]} {final.verdict.status}" for final in finals if final is not best
    ]
    labels += [f"{NO_TIME_IN_FULL} {untried}"] if untried else []
    if reason == "interrupted":
        best, labels = search.best(), [SCREENED_ONLY]
    elif best is None and untried:
        tried = {final.candidate.id for final in finals}
        best, labels = next(one for one in finalists if one.candidate.id not in tried), [SCREENED_ONLY, *labels]
    best = best and replace(best, verdict=replace(best.verdict, labels=(*best.verdict.labels, *labels)))
    return Outcome(best=best, judged=run.spent.candidates, reason=reason, finals=tuple(finals))


class _Steps:
    """What workers do for a run: have a proposal written and judged, and a program judged in full."""

    def __init__(
        self,
        task: Task,
        proposer: Proposer,
        evaluator: Evaluator,
        settings: OptimizeSettings,
        clock: _Clock,
        stop: threading.Event,
    ) -> None:
        self._task, self._proposer, self._evaluator = task, proposer, evaluator
        self._settings, self._clock, self._stop = settings, clock, stop
        self._try_in_full = threading.Lock()
        """Taken by the first program that passes, where the time is limited: it shows what a judgement in full takes."""
        self.in_full: dict[str, Verdict] = {}
        """By candidate."""
        self.screened: dict[int, Judged] = {}
        """By proposal: what passed, while it is judged in full."""

    def serve(self, proposal: Proposal) -> Judged:
        """The proposal's program and its verdict: of the screening, or where that passed and the one in full did not, of that."""
        candidate = _patiently(lambda: self._proposer.propose(self._task, proposal), self._settings, self._stop)
        _require(candidate, Candidate, by=self._proposer, method="propose")
        verdict = self._judge(candidate, self._settings.level_search)
        judged = Judged(proposal_id=proposal.id, candidate=candidate, verdict=verdict)
        if not verdict.passed or self._settings.level_search is self._settings.level_final:
            return judged
        if proposal.in_full or (self._settings.seconds is not None and self._try_in_full.acquire(blocking=False)):
            self.screened[proposal.id] = judged
            whole = self.judge_in_full(candidate)
            return judged if whole.passed else replace(judged, verdict=whole)
        return judged

    def judge_in_full(self, candidate: Candidate) -> Verdict:
        """The program's verdict in full, made once."""
        if candidate.id not in self.in_full:
            started = time.monotonic()
            verdict = self.in_full[candidate.id] = self._judge(candidate, self._settings.level_final)
            self._clock.took_in_full(
                max(verdict.seconds, time.monotonic() - started)
            )  # one that was remembered took no time now
        return self.in_full[candidate.id]

    def _judge(self, candidate: Candidate, level: Level) -> Verdict:
        verdict = _patiently(
            lambda: self._evaluator.evaluate(self._task, candidate, level=level), self._settings, self._stop
        )
        _require(verdict, Verdict, by=self._evaluator, method="evaluate")
        if verdict.status is Status.INVALID_TASK:  # no other program fares better
            raise InvalidTask(verdict.reason)
        return verdict


def _require(answer: object, kind: type, *, by: object, method: str) -> None:
    """Somebody else's class that answers with something else is told so, where it does."""
    if not isinstance(answer, kind):
        raise PluginError(
            f"{type(by).__name__}.{method} answered with {type(answer).__name__}, not with a {kind.__name__}"
        )


def _finals(
    finalists: Sequence[Judged], steps: _Steps, settings: OptimizeSettings, clock: _Clock
) -> tuple[list[Judged], int]:
    """The finalists judged in full, in order, up to the first that passes; and for how many of those before it there was no time."""
    finals: list[Judged] = []
    untried, phase = 0, clock.finals()
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=WORKERS)
    try:
        for finalist in finalists:
            verdict = steps.in_full.get(finalist.candidate.id)
            if verdict is None and len(finals) >= settings.finalists and phase.over:
                continue
            if verdict is None and not (clock.stopped or phase.left):
                verdict = _awaited(phase.start(pool, partial(steps.judge_in_full, finalist.candidate)), phase)
            if verdict is None:
                untried += 1
                continue
            finals.append(replace(finalist, verdict=verdict))
            if verdict.passed:
                break
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return finals, untried


def _awaited(work: "Future[Answer]", phase: _Phase) -> Answer | None:
    """The work's answer; None where it was given up."""
    while not work.done() and not phase.left:
        wait([work], timeout=_LOOK_S)
    return work.result() if _ended_by_itself(work, phase) else None


def _ended_by_itself(work: "Future[Answer]", phase: _Phase) -> bool:
    """Whether the work has an answer or an error of its own: that it was given up is an error of ours."""
    return work.done() and not (phase.left and isinstance(work.exception(), Unavailable))


def _search(
    run: JournalledSearch, steps: _Steps, unanswered: list[Proposal], settings: OptimizeSettings, clock: _Clock
) -> str:
    """Ask, serve and tell until the search is finished or something ends it; the reason."""
    reason, outages, failure = "", 0, None
    phase = clock.asking()
    pool = ThreadPoolExecutor(max_workers=settings.workers, thread_name_prefix=WORKERS)

    def started(proposal: Proposal) -> Future[Judged]:
        return phase.start(pool, partial(steps.serve, proposal))

    working: dict[Future[Judged], Proposal] = {started(proposal): proposal for proposal in unanswered}
    try:
        while True:
            if phase.over and not (reason or failure):
                reason = clock.reason
            while not (reason or failure) and len(working) < settings.workers:
                if not isinstance(proposal := run.ask(), Proposal):
                    break
                working[started(proposal)] = proposal
            if phase.left:
                _leave(run, working, steps, phase, reason)
            if not working:
                break
            done = wait(working, timeout=_LOOK_S, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=lambda done: working[done].id):
                proposal = working.pop(future)
                try:
                    judged = future.result()
                except (ModelRefused, Unavailable) as error:
                    run.abandon(proposal, reason=str(error))
                    outages += 1
                    if isinstance(error, ModelRefused):
                        reason = f"refused: {error}"
                    elif outages >= settings.outages:
                        failure = error
                else:
                    run.tell(proposal, judged)
                    outages = 0
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    if failure is not None:
        raise failure
    return reason or "finished"


def _leave(
    run: JournalledSearch, working: dict[Future[Judged], Proposal], steps: _Steps, phase: _Phase, reason: str
) -> None:
    """Wait no longer. What passed the screening counts as that; of the rest an interrupted run's is left unanswered, to be served when it
    goes on, and another's abandoned.
    """
    for future, proposal in list(working.items()):
        if _ended_by_itself(future, phase):
            continue
        future.cancel()
        del working[future]
        if (screened := steps.screened.get(proposal.id)) is not None:
            run.tell(proposal, screened)
        elif reason != "interrupted":
            run.abandon(proposal, reason="no answer before the time was up")


def _patiently(work: Callable[[], Answer], settings: OptimizeSettings, stop: threading.Event) -> Answer:
    """The work's answer; it is tried again while machine or service fail, but not once the run is to stop, nor where nobody waits."""
    for _ in range(settings.retries):
        require_awaited()
        started = time.monotonic()
        try:
            return work()
        except Unavailable:
            if time.monotonic() - started > settings.patience_s or is_given_up() or stop.wait(settings.pause_s):
                raise
    return work()
