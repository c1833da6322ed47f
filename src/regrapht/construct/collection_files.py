"""What a collection keeps on disk: a journal of attempts, the model's replies, and trajectories as folders of a corpus.

A trajectory's folder appears complete or not at all. The journal is what a resumed collection reads: an attempt with a line in it is done.
"""

import json
import os
import re
import secrets
import shutil
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regrapht.construct.corpus import TRAJECTORY_FILE, CorpusTrajectory
from regrapht.construct.relabel import own_slug
from regrapht.construct.verdict_file import StepVerdict, write_verdicts
from regrapht.errors import ConfigError, SchemaError
from regrapht.records.encoding import parse_strict
from regrapht.records.task import Task
from regrapht.records.trajectory import Trajectory
from regrapht.store.blobs import write_atomically
from regrapht.store.database import make_folder, unavailable
from regrapht.tasks.write import task_toml

PLACE = ".collected"
"""Inside a corpus; folders that start with a dot are no families."""
SCHEMA = "regrapht.collection"
SCHEMA_VERSION = 1
MAX_JOURNAL_BYTES = 256 * 1024 * 1024
_RUN = re.compile(r"[a-z0-9][a-z0-9_.-]{0,79}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What became of one trajectory that was asked for."""

    task: str
    sample: int
    trajectory: str | None
    """Its name in the corpus; None when it was rejected."""
    rejected: str | None = None
    """The reason, a word or a judge's status."""
    steps: int = 0
    passed: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    labels: Mapping[str, int] = field(default_factory=dict)


class Journal:
    """The attempts of one run of collecting, a JSON line each; safe for several threads.

    Raises:
        ConfigError: The run's name is malformed, or the run was started with other settings.
        SchemaError: The file is damaged.
        StoreUnavailable: It cannot be written.
    """

    def __init__(self, corpus: Path, run: str, settings: Mapping[str, str]) -> None:
        if not _RUN.fullmatch(run):
            raise ConfigError(f"--run {run!r:.80}: use lower case letters, digits, -, _ and .")
        make_folder(corpus / PLACE)
        self.file = corpus / PLACE / f"{run}.jsonl"
        self._lock = threading.Lock()
        self.attempts: dict[tuple[str, int], Attempt] = {}
        head: dict[str, object] = {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, **settings}
        if self.file.is_file():
            self._read(head)
        else:
            self._append(head)

    def add(self, attempt: Attempt) -> None:
        """Note an attempt that is done; when this returns, a resumed run knows of it."""
        plain = {name: getattr(attempt, name) for name in Attempt.__dataclass_fields__}
        with self._lock:
            self._append(plain)
            self.attempts[attempt.task, attempt.sample] = attempt

    def _append(self, plain: Mapping[str, Any]) -> None:
        line = json.dumps(plain, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
        try:
            with open(self.file, "ab") as file:
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise unavailable(self.file.parent, error) from error

    def _read(self, head: Mapping[str, object]) -> None:
        if self.file.stat().st_size > MAX_JOURNAL_BYTES:
            raise SchemaError(f"{self.file} has more than {MAX_JOURNAL_BYTES} bytes")
        data = self.file.read_bytes()
        whole, _, torn = data.rpartition(b"\n")
        if torn:  # the process died while it wrote this line: the attempt is not done
            write_atomically(self.file, whole + b"\n" if whole else b"")
        lines = [self._line(line, number) for number, line in enumerate(whole.splitlines(), start=1)]
        if not lines:
            self._append(head)
            return
        if lines[0] != head:
            differing = sorted(key for key in {*head, *lines[0]} if head.get(key) != lines[0].get(key))
            raise ConfigError(
                f"{self.file} was begun with another {', '.join(differing)}: give a new --run, or the same options"
            )
        for number, line in enumerate(lines[1:], start=2):
            try:
                attempt = Attempt(**{**line, "notes": tuple(line["notes"])})
            except (TypeError, KeyError) as error:
                raise self._damaged(number) from error
            self.attempts[attempt.task, attempt.sample] = attempt

    def _line(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            plain = parse_strict(line)
        except SchemaError as error:
            raise self._damaged(number) from error
        if not isinstance(plain, dict):
            raise self._damaged(number)
        return plain

    def _damaged(self, number: int) -> SchemaError:
        return SchemaError(
            f"{self.file}: line {number} is damaged; delete the file to collect anew, or give another --run"
        )


class KeptReplies:
    """A model's replies as files beside the journal."""

    def __init__(self, corpus: Path, run: str) -> None:
        if not _RUN.fullmatch(run):
            raise ConfigError(f"--run {run!r:.80}: use lower case letters, digits, -, _ and .")
        self._folder = corpus / PLACE / run
        make_folder(self._folder)

    def get(self, task_id: str, sample: int) -> str | None:
        """The reply, or None."""
        file = self._file(task_id, sample)
        return file.read_bytes().decode("utf-8", "replace") if file.is_file() else None

    def put(self, task_id: str, sample: int, text: str) -> None:
        """Keep a reply."""
        write_atomically(self._file(task_id, sample), text.encode("utf-8", "replace"))

    def _file(self, task_id: str, sample: int) -> Path:
        return self._folder / f"{own_slug(task_id)}_{sample}.txt"


def step_files(trajectory: Trajectory) -> tuple[str, ...]:
    """Names for the steps' programs: `01_technique.cu` and so on."""
    return tuple(f"{number:02}_{own_slug(step.method)}.cu" for number, step in enumerate(trajectory.steps, start=1))


def save_task(corpus: Path, task: Task) -> Path:
    """The task's folder in a corpus, which is made where it is not there yet.

    Raises:
        ConfigError: The task has no family, or cannot be put into a folder of its own.
        StoreUnavailable: The folder cannot be written.
    """
    if task.family is None:
        raise ConfigError(
            f"task {task.id} names no family, and a corpus is kept by family: add family = ... to its task.toml"
        )
    folder = corpus / task.family / task.id
    if (folder / "task.toml").is_file():
        return folder
    reference = task.reference
    if reference.include or reference.source.suffix == ".py":
        raise ConfigError(f"task {task.id} needs files outside its folder: collect into the corpus that holds it")
    make_folder(folder)
    sources = {reference.source.name: reference.source.text}
    if reference.fast is not None:
        sources[reference.fast.name] = reference.fast.text
    sources.update({baseline.source.name: baseline.source.text for baseline in task.baselines})
    for name, text in sources.items():
        write_atomically(folder / Path(name).name, text.encode())
    write_atomically(folder / "task.toml", task_toml(task).encode())
    return folder


def save_trajectory(
    task_folder: Path, name: str, trajectory: Trajectory, *, title: str, run: str, verdicts: Sequence[StepVerdict]
) -> None:
    """Write a trajectory's folder as one step.

    Raises:
        StoreUnavailable: The folder cannot be written, or is there already.
    """
    part = task_folder / f".{os.getpid()}-{secrets.token_hex(4)}.part"
    try:
        part.mkdir()
        try:
            for file, step in zip(step_files(trajectory), trajectory.steps, strict=True):
                (part / file).write_bytes(step.code.encode())
            (part / TRAJECTORY_FILE).write_bytes(_toml(trajectory, title=title, run=run).encode())
            write_verdicts(part, verdicts)
            os.rename(part, task_folder / name)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise unavailable(task_folder, error) from error


def same_programs(items: Sequence[CorpusTrajectory]) -> set[tuple[str, ...]]:
    """The sequences of programs of trajectories, without comments and layout, by which duplicates are known."""
    return {programs(item.trajectory) for item in items}


def programs(trajectory: Trajectory) -> tuple[str, ...]:
    """The trajectory's programs by the hash that ignores comments and layout."""
    from regrapht.source.program_hash import program_hash

    return tuple(program_hash(step.code) for step in trajectory.steps)


def _toml(trajectory: Trajectory, *, title: str, run: str) -> str:
    lines = [_line("title", title), _line("source", trajectory.source), _line("licence", trajectory.licence)]
    lines.append(_line("run", run))
    for file, step in zip(step_files(trajectory), trajectory.steps, strict=True):
        lines += ["", "[[steps]]", _line("technique", step.method)]
        if step.technique is not None:
            lines.append(_line("label", step.technique))
        lines += [_line("think", step.think), _line("detail", step.detail), _line("file", file)]
    return "\n".join(lines) + "\n"


def _line(key: str, text: str) -> str:
    """A TOML line. JSON's strings are TOML's, but for the one control character that TOML escapes and JSON does not."""
    return f"{key} = {json.dumps(text, ensure_ascii=False)}".replace("\x7f", "\\u007f")
