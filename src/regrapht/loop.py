"""The loop: ask a search, have the proposal served and judged, tell the search; in the end judge the best in full.

The search stays on the calling thread; workers only propose and evaluate. Every event is journalled when it happens.
"""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import TypeVar

from regrapht.errors import ConfigError, InvalidTask, ModelRefused, PluginError, Unavailable
from regrapht.evaluate.evaluator import Evaluator
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Judged, Proposal
from regrapht.records.run import NOTHING_JUDGED, WORKERS, Event
from regrapht.records.task import Task
from regrapht.records.verdict import SCREENED_ONLY, Level, Status, Verdict
from regrapht.search.journalled import Journal, JournalledSearch
from regrapht.search.search import Search

Answer = TypeVar("Answer")
Serve = Callable[[Proposal], Judged]
_LOOK_S = 0.2
"""How often the loop looks whether the run is to end while it waits for its workers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizeSettings:
    """How a run is carried out, as opposed to what its search chooses."""

    level_search: Level = Level.SCREEN
    level_final: Level = Level.FULL
    workers: int = 1
    finalists: int = 3
    """So many of the programs that passed are tried in full, the best first, until one passes, even when the time is up; the others are
    tried after them while there is time."""
    seconds: float | None = None
    """Nothing is asked after this time, counted from the call; a judgement in hand is finished, a proposer not waited for (`leave_s`)."""
    leave_s: float = 3.0
    """So long after the time is up, or the run is to stop, a proposer may still answer: a model that hangs holds nobody up."""
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
    """Passed in full; of an interrupted run the best so far, labelled `screened_only`. None when no finalist passed."""
    judged: int
    reason: str
    finals: tuple[Judged, ...] = ()


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
    run = JournalledSearch(search, journal=journal, observer=observer)
    deadline = time.monotonic() + (float("inf") if settings.seconds is None else settings.seconds)
    in_full: dict[str, Verdict] = {}

    def judge(candidate: Candidate, level: Level) -> Verdict:
        verdict = _patiently(lambda: evaluator.evaluate(task, candidate, level=level), settings, stop)
        _require(verdict, Verdict, by=evaluator, method="evaluate")
        if verdict.status is Status.INVALID_TASK:  # no other program fares better
            raise InvalidTask(verdict.reason)
        return verdict

    def judge_in_full(candidate: Candidate) -> Verdict:
        if candidate.id not in in_full:
            in_full[candidate.id] = judge(candidate, settings.level_final)
        return in_full[candidate.id]

    proposing: set[int] = set()

    def serve(proposal: Proposal) -> Judged:
        proposing.add(proposal.id)
        try:
            candidate = _patiently(lambda: proposer.propose(task, proposal), settings, stop)
        finally:
            proposing.discard(proposal.id)
        _require(candidate, Candidate, by=proposer, method="propose")
        verdict = judge(candidate, settings.level_search)
        if proposal.in_full and verdict.passed and settings.level_search is not settings.level_final:
            verdict = verdict if (whole := judge_in_full(candidate)).passed else whole
        return Judged(proposal_id=proposal.id, candidate=candidate, verdict=verdict)

    reason = _search(run, serve, proposing, run.replay(replayed), settings, stop, deadline)
    if reason == "finished" and run.spent.candidates == 0 and run.skipped is not None:
        reason = f"{NOTHING_JUDGED}: {run.skipped}"
    finals = [] if reason == "interrupted" else _finals(run.finalists(), judge_in_full, settings, stop, deadline)
    best = finals[-1] if finals and finals[-1].verdict.passed else None
    if best is None and run.passed and stop.is_set():
        reason = "interrupted"
    labels = [f"refused_in_full {final.candidate.id[:12]} {final.verdict.status}" for final in finals[:-1]]
    if reason == "interrupted":
        best, labels = search.best(), [SCREENED_ONLY]
    best = best and replace(best, verdict=replace(best.verdict, labels=(*best.verdict.labels, *labels)))
    return Outcome(best=best, judged=run.spent.candidates, reason=reason, finals=tuple(finals))


def _require(answer: object, kind: type, *, by: object, method: str) -> None:
    """Somebody else's class that answers with something else is told so, where it does."""
    if not isinstance(answer, kind):
        raise PluginError(
            f"{type(by).__name__}.{method} answered with {type(answer).__name__}, not with a {kind.__name__}"
        )


def _finals(
    finalists: Sequence[Judged],
    judge_in_full: Callable[[Candidate], Verdict],
    settings: OptimizeSettings,
    stop: threading.Event,
    deadline: float,
) -> list[Judged]:
    """The finalists judged in full, in order, up to the first that passes; or until the run is to stop, or its time is up."""
    finals: list[Judged] = []
    for finalist in finalists:
        if stop.is_set() or (len(finals) >= settings.finalists and time.monotonic() >= deadline):
            break
        finals.append(replace(finalist, verdict=judge_in_full(finalist.candidate)))
        if finals[-1].verdict.passed:
            break
    return finals


def _search(
    run: JournalledSearch,
    serve: Serve,
    proposing: Collection[int],
    unanswered: list[Proposal],
    settings: OptimizeSettings,
    stop: threading.Event,
    deadline: float,
) -> str:
    """Ask, serve and tell until the search is finished or something ends it; the reason."""
    reason, outages, failure, leave = "", 0, None, float("inf")
    pool = ThreadPoolExecutor(max_workers=settings.workers, thread_name_prefix=WORKERS)
    working: dict[Future[Judged], Proposal] = {pool.submit(serve, proposal): proposal for proposal in unanswered}
    try:
        while True:
            now = time.monotonic()
            if not (reason or failure) and (stop.is_set() or now >= deadline):
                reason, leave = "interrupted" if stop.is_set() else "seconds", now + settings.leave_s
            while not (reason or failure) and len(working) < settings.workers:
                if not isinstance(proposal := run.ask(), Proposal):
                    break
                working[pool.submit(serve, proposal)] = proposal
            if now >= leave:
                _leave(run, working, proposing, reason)
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
    run: JournalledSearch, working: dict[Future[Judged], Proposal], proposing: Collection[int], reason: str
) -> None:
    """Wait no longer for proposers: what an interrupted run leaves unanswered is served when it goes on, the rest is abandoned."""
    for future, proposal in list(working.items()):
        if future.cancel() or (proposal.id in proposing and not future.done()):
            del working[future]
            if reason != "interrupted":
                run.abandon(proposal, reason="no answer before the time was up")


def _patiently(work: Callable[[], Answer], settings: OptimizeSettings, stop: threading.Event) -> Answer:
    """The work's answer; it is tried again while machine or service fail, but not once the run is to stop."""
    for _ in range(settings.retries):
        started = time.monotonic()
        try:
            return work()
        except Unavailable:
            if time.monotonic() - started > settings.patience_s or stop.wait(settings.pause_s):
                raise
    return work()
