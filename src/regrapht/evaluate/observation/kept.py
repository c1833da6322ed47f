"""Observations kept from one process to the next, by all that they are made from."""

import hashlib
from importlib.resources import files
from pathlib import Path

from regrapht import settings
from regrapht.errors import CannotTransform, EvaluatorUnavailable, SchemaError
from regrapht.evaluate.observation.watched_cases import watched_cases
from regrapht.evaluate.observation.watched_run import WatchedRuns
from regrapht.records.candidate import Candidate
from regrapht.records.encoding import from_json, to_json
from regrapht.records.task import Task
from regrapht.records.verdict import Status, Verdict
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.verbatim.observations import Observations

_MEETINGS = (Status.RACE, Status.WRONG_VALUE, Status.NON_FINITE, Status.NONDETERMINISTIC)


class KeptRuns:
    """An `Observer` that runs what it has not seen before. The sandbox is chosen when the first run needs it.

    Args:
        allow_root: Whether the reference may run as root where root cannot be given up.
    """

    def __init__(self, *, allow_root: bool = False, folder: Path | None = None) -> None:
        self._allow_root = allow_root
        self._folder = folder if folder is not None else _default_folder()
        self._runs: WatchedRuns | None = None

    def __call__(self, task: Task, text: str) -> Observations:
        """As `WatchedRuns`.

        Raises:
            CannotTransform: As there, or no sandbox starts here.
        """
        file = self._folder / f"{_key(task, text)}.json"
        if file.is_file():
            try:
                return from_json(Observations, file.read_text())
            except (SchemaError, ValueError):
                file.unlink(missing_ok=True)  # torn by a crash: made again
        if self._runs is None:
            try:
                self._runs = WatchedRuns(choose_sandbox(allow_root=self._allow_root))
            except EvaluatorUnavailable as error:
                raise CannotTransform(f"its loops cannot be observed here: {error}") from error
        found = self._runs(task, text)
        self._folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{id(found)}.part")
        part.write_text(to_json(found))
        part.replace(file)
        return found

    def refuted(self, task: Task, program_hash: str) -> str | None:
        """What `remember_refuted` was told of the program."""
        file = _refuted_file(self._folder, task, program_hash)
        return f"{file.read_text()} (delete {file} to have it tried again)" if file.is_file() else None


def remember_refuted(task: Task, candidate: Candidate, verdict: Verdict, *, folder: Path | None = None) -> None:
    """Note a verdict that shows turns meeting where a run of the reference, or a promise, said otherwise; for the engine's own programs."""
    rests = candidate.independence is not None and candidate.origin.decisions is not None
    if not rests or candidate.program_hash is None or verdict.status not in _MEETINGS:
        return
    file = _refuted_file(folder or _default_folder(), task, candidate.program_hash)
    file.parent.mkdir(parents=True, exist_ok=True)
    reason = verdict.reason.splitlines()[0] if verdict.reason else ""
    part = file.with_suffix(f".{id(verdict)}.part")
    part.write_text(f"{verdict.status.value}: {reason}")
    part.replace(file)


def _default_folder() -> Path:
    return settings.cache() / "observed"


def _refuted_file(folder: Path, task: Task, program_hash: str) -> Path:
    name = hashlib.sha256(f"{task.content_hash}\0{program_hash}".encode()).hexdigest()
    return folder / "refuted" / f"{name}.txt"


def _key(task: Task, text: str) -> str:
    runtime = files("regrapht.transform.verbatim").joinpath("runtime")
    parts = [
        task.content_hash,
        text,
        settings.cxx(),
        repr(watched_cases(task)),
        *(runtime.joinpath(n).read_text() for n in ("watch.h", "watch.cpp")),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
