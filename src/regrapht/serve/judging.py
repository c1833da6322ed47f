"""Judgements in the order in which they were asked for, one client's many never before another's one.

A judgement is named by what is judged: task, program and level. Asking twice, or again after a client vanished, is one judgement.
"""

import hashlib
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from regrapht.errors import ConfigError, RegraphtError
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict

MOST_KEPT = 2000
"""Ended judgements whose verdicts can still be asked for by id."""
MOST_WAITING = 1000
"""Further ones are refused: a client that floods is told so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One judgement: asked for, in hand or ended. `future` holds its verdict, or the fault of machine or user that prevented one."""

    id: str
    task: Task
    candidate: Candidate
    level: Level
    future: Future[Verdict] = field(default_factory=Future)


class Judging:
    """Worker threads over one evaluator.

    Args:
        workers: Judgements at once; one per core is enough on the emulator.
        prepare: Makes a task ready; called once a task, before its first judgement.
    """

    def __init__(self, evaluator: Evaluator, *, workers: int, prepare: Callable[[Task], object]) -> None:
        self._evaluator, self._prepare = evaluator, prepare
        self._lanes: OrderedDict[str, deque[Judgement]] = OrderedDict()
        self._known: OrderedDict[str, Judgement] = OrderedDict()
        self._changed = threading.Condition()
        self._closing = False
        self._threads = [
            threading.Thread(target=self._work, name=f"regrapht-judge-{i}", daemon=True) for i in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Task, candidate: Candidate, level: Level, *, client: str) -> Judgement:
        """The judgement of this program, queued behind those of the same client unless it is known already.

        Raises:
            ConfigError: Too many wait already, or the server is closing.
        """
        key = hashlib.sha256(f"{task.content_hash}/{candidate.id}/{level}".encode()).hexdigest()[:16]
        with self._changed:
            known = self._known.get(key)
            if known is not None and not _failed(known):
                self._known.move_to_end(key)
                return known
            if self._closing:
                raise ConfigError("the judge is closing; start it again")
            if self.waiting >= MOST_WAITING:
                raise ConfigError(f"{MOST_WAITING} judgements wait already; ask again when some have ended")
            judgement = Judgement(id=key, task=task, candidate=candidate, level=level)
            self._known[key] = judgement
            self._lanes.setdefault(client, deque()).append(judgement)
            self._forget()
            self._changed.notify()
        return judgement

    def find(self, judgement_id: str) -> Judgement | None:
        """The judgement of this id, if it is still known."""
        with self._changed:
            return self._known.get(judgement_id)

    @property
    def waiting(self) -> int:
        """Judgements that no worker has begun."""
        return sum(map(len, self._lanes.values()))

    def close(self) -> None:
        """Take nothing new, drop what waits, and let judgements in hand end."""
        with self._changed:
            self._closing = True
            for lane in self._lanes.values():
                for judgement in lane:
                    judgement.future.set_exception(ConfigError("the judge was closed before this judgement began"))
            self._lanes.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _forget(self) -> None:
        """Drop the oldest ended judgements; those that wait or are in hand stay."""
        excess = len(self._known) - MOST_KEPT
        ended = (key for key, judgement in self._known.items() if judgement.future.done())
        for key in [key for key, _ in zip(ended, range(excess), strict=False)]:
            del self._known[key]

    def _next(self) -> Judgement | None:
        """The first of the client whose turn it is, who then goes to the end of the row."""
        with self._changed:
            while not self._lanes:
                if self._closing:
                    return None
                self._changed.wait()
            client, lane = self._lanes.popitem(last=False)
            judgement = lane.popleft()
            if lane:
                self._lanes[client] = lane
            return judgement

    def _work(self) -> None:
        while (judgement := self._next()) is not None:
            try:
                self._prepare(judgement.task)
                verdict = self._evaluator.evaluate(judgement.task, judgement.candidate, level=judgement.level)
            except Exception as error:  # kept for whoever asks; a worker never dies of one judgement
                judgement.future.set_exception(error)
            else:
                judgement.future.set_result(verdict)


def _failed(judgement: Judgement) -> bool:
    """Whether it ended without a verdict, by a fault that may be gone now."""
    future = judgement.future
    return future.done() and future.exception() is not None


class PreparedTasks:
    """Makes tasks ready once each, several threads asking at once; a failure is told to all who asked, and tried again by the next."""

    def __init__(self, prepare: Callable[[Task], object]) -> None:
        self._prepare = prepare
        self._lock = threading.Lock()
        self._made: dict[str, Future[object]] = {}

    def __call__(self, task: Task) -> object:
        """What `prepare` gave for this task."""
        key = task.content_hash
        with self._lock:
            made = self._made.get(key)
            mine = made is None or (made.done() and made.exception() is not None)
            if mine:
                made = self._made[key] = Future()
        assert made is not None
        if mine:
            try:
                made.set_result(self._prepare(task))
            except RegraphtError as error:
                made.set_exception(error)
            except BaseException as error:
                made.set_exception(error)
                raise
        return made.result()


def wait_for(judgement: Judgement, seconds: float) -> bool:
    """Whether it has ended within `seconds`."""
    deadline = time.monotonic() + seconds
    try:
        judgement.future.exception(timeout=max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        return False
    return True
