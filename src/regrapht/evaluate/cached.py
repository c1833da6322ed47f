"""Verdicts remembered: the same candidate on the same task, judged the same way on the same machine, is not judged again."""

import hashlib
import threading
import weakref
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Protocol

from regrapht.evaluate.evaluator import Availability, Evaluator
from regrapht.evaluate.inputs.task_files import task_key
from regrapht.records.candidate import Candidate
from regrapht.records.encoding import to_json
from regrapht.records.measurement import Environment, Scale, Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, StageName, StageOutcome, Status, Verdict

PARTS_OF_THE_JUDGE = ("emulate", "evaluate", "records", "sandbox", "source")
"""What a verdict depends on besides its task: a test holds this against what these parts import."""

NOT_OF_THE_JUDGE = frozenset({"evaluate/observation"})
"""Among those parts, but no verdict runs through it: the engine asks it how loops of the reference behave, in the engine's own words."""


@cache
def judge_code() -> str:
    """Which judge it is, by its own text: SHA-256 over the files of its parts as they are installed. A verdict is remembered for as long
    as the code that gave it is the same."""
    digest = hashlib.sha256()
    for part in PARTS_OF_THE_JUDGE:
        for name, text in sorted(_texts(files("regrapht") / part, part)):
            digest.update(f"{name}\0{hashlib.sha256(text).hexdigest()}\0".encode())
    return digest.hexdigest()


def _texts(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        if entry.name == "__pycache__" or f"{name}/{entry.name}" in NOT_OF_THE_JUDGE:
            continue
        if entry.is_dir():
            found += _texts(entry, f"{name}/{entry.name}")
        else:
            found.append((f"{name}/{entry.name}", entry.read_bytes()))
    return found


_NOT_KEPT = (Status.INVALID_TASK, Status.SUSPECT, Status.TIMING_INVALID)
"""A task that was at fault may be mended outside of its text, and a time that was not borne out, or was taken while the device was held
back, is worth another look."""


def _lasts(verdict: Verdict) -> bool:
    """Whether a verdict says something lasting of the program: not where a time was in question, the task was at fault, or a build was
    stopped, which a busy machine can bring about."""
    stopped = verdict.status in (Status.TIMED_OUT, Status.OUT_OF_MEMORY)
    in_build = any(stage.name is StageName.BUILD and stage.outcome is StageOutcome.FAILED for stage in verdict.stages)
    return verdict.status not in _NOT_KEPT and not (stopped and in_build)


class VerdictCache(Protocol):
    """Where verdicts are kept."""

    def get(self, key: str) -> Verdict | None:
        """The verdict under `key`, or None."""
        ...

    def put(self, key: str, verdict: Verdict) -> None:
        """Keep `verdict` under `key`."""
        ...


class CachedEvaluator:
    """An evaluator that asks the cache first. What is cached is exactly what the evaluator said. Safe to use from several threads, of which
    one judges a candidate that several ask for at once.

    Args:
        told: Told every verdict that was not cached.
    """

    def __init__(
        self, evaluator: Evaluator, cache: VerdictCache, told: Callable[[Task, Candidate, Verdict], None] | None = None
    ) -> None:
        self._evaluator, self._cache, self._told = evaluator, cache, told
        self._scales: dict[str, str] = {}
        self._lock = threading.Lock()
        self._asked: weakref.WeakValueDictionary[str, threading.Lock] = weakref.WeakValueDictionary()
        """A lock for each key that somebody asks for now."""
        self.name = evaluator.name
        self.protocol = evaluator.protocol

    @property
    def inner(self) -> Evaluator:
        """The evaluator itself."""
        return self._evaluator

    def availability(self) -> Availability:
        """As the evaluator's."""
        return self._evaluator.availability()

    def environment(self) -> Environment:
        """As the evaluator's."""
        return self._evaluator.environment()

    def prepare(self, task: Task, plain: Candidate | None) -> Yardstick:
        """As the evaluator's; never cached, because it also readies the evaluator."""
        yardstick = self._evaluator.prepare(task, plain)
        if yardstick.scale is Scale.MODELLED:  # a plain version chooses the shape that costs are modelled at
            self._scales[task.content_hash] = f"{yardstick.start!r} {yardstick.floor!r}"
        return yardstick

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """The cached verdict, or a new one, which is then cached unless it says nothing lasting of the candidate."""
        key = self.key(task, candidate, level)
        with self._lock:
            alone = self._asked.setdefault(key, threading.Lock())
        with alone:
            known = self._cache.get(key)
            return known if known is not None else self.evaluate_anew(task, candidate, level=level)

    def evaluate_anew(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """A new verdict, whatever the cache holds; it takes the place of the old one."""
        verdict = self._evaluator.evaluate(task, candidate, level=level)
        if self._told is not None:
            self._told(task, candidate, verdict)
        if _lasts(verdict):
            self._cache.put(self.key(task, candidate, level), verdict)
        return verdict

    def key(self, task: Task, candidate: Candidate, level: Level) -> str:
        """SHA-256 over everything that a verdict depends on, the judge's own code among it, and modelled costs with the scale that the task
        was prepared for. Clock rates are left out: they move while nothing else does.
        """
        environment = self._evaluator.environment()
        parts = (
            task_key(task),
            candidate.id,
            level.value,
            str(candidate.is_of_a_model),
            self.protocol,
            self.name,
            judge_code(),
            environment.device,
            environment.cpu,
            to_json(environment.tools),
            *((scale,) if (scale := self._scales.get(task.content_hash)) is not None else ()),
        )
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()
