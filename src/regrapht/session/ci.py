"""Judging the CUDA files of a change, each against the task that it belongs to.

A file belongs to the task in whose folder it lies, or below; else to the sequential file of its own name beside it (`f.cu` to `f.cpp`). A
task's own reference is not judged. What belongs to no task is said, and is no failure.
"""

import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.assemble import open_evaluator, open_task
from regrapht.errors import ConfigError, UserFixable
from regrapht.records.toml_text import parse_toml
from regrapht.records.verdict import Level, Status
from regrapht.session.check import CheckedFiles, gain_over_plain, read_candidate

_SEQUENTIAL = (".cpp", ".cc", ".cxx", ".c")
_GIT_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedFile:
    """One file of the change: its judgement, or why there is none."""

    file: Path
    task: Path | None
    checked: CheckedFiles | None = None
    why: str = ""

    @property
    def status(self) -> str:
        """The verdict's; `NO_TASK` where it belongs to none, `TASK_ERROR` where that is wrong."""
        if self.checked is not None:
            return self.checked.verdict.status.value
        return "NO_TASK" if self.task is None else "TASK_ERROR"

    @property
    def exit_code(self) -> int:
        """As a command ends: 0 passed or no task, 1 refused, 2 a task to mend, 3 not checked here."""
        if self.checked is None:
            return 0 if self.task is None else 2
        verdict = self.checked.verdict
        return 0 if verdict.passed else 3 if verdict.status is Status.UNSUPPORTED else 1


def changed_files(since: str) -> list[Path]:
    """The CUDA files that differ from a commit, as git knows them in the working folder's repository.

    Raises:
        ConfigError: It is no git repository, or knows no such commit.
    """
    if since.startswith("-"):
        raise ConfigError(f"--since {since}: give a commit")
    command = ["git", "diff", "--name-only", "--diff-filter=d", "-z", "--relative", since, "--"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_GIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigError(f"git does not answer: {error}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["git fails"]
        raise ConfigError(f"--since {since}: {said[0]}")
    return [Path(name) for name in done.stdout.decode().split("\0") if name.endswith(".cu")]


def task_of(file: Path) -> Path | None:
    """The task that a file belongs to; None where there is none."""
    for folder in file.absolute().parents:
        if (folder / "task.toml").is_file():
            return folder
    beside = (file.with_suffix(suffix) for suffix in _SEQUENTIAL)
    return next((path for path in beside if path.is_file()), None)


def judge_change(
    files: Iterable[Path],
    *,
    level: Level,
    evaluator: str | None,
    allow_root: bool,
    observer: Callable[[JudgedFile], None],
) -> list[JudgedFile]:
    """Every file judged, in order; each is told to `observer` as it is done.

    Raises:
        ConfigError: A file is not there.
        EvaluatorUnavailable: Nothing on this machine can judge.
    """
    judge = open_evaluator(evaluator, allow_root=allow_root)
    found: list[JudgedFile] = []
    for file in dict.fromkeys(files):
        if not file.is_file():
            raise ConfigError(f"there is no {file}")
        task = task_of(file)
        one = JudgedFile(file=file, task=task, why="it lies in no task's folder, and beside no sequential file")
        if task is not None and _is_reference(file, task):
            one = replace(one, task=None, why="it is the task's own reference")
        elif task is not None:
            try:
                opened = open_task(task).task
                candidate, merged = read_candidate([file])
                judge.prepare(opened, None)
                verdict = judge.evaluate(opened, candidate, level=level)
            except UserFixable as error:
                one = replace(one, why=str(error))
            else:
                verdict = replace(verdict, gain_over_plain=gain_over_plain(opened, verdict, judge))
                one = replace(one, checked=CheckedFiles(verdict=verdict, files=(file,), merged=merged), why="")
        found.append(one)
        observer(one)
    return found


def _is_reference(file: Path, task: Path) -> bool:
    if task.is_file():
        return False
    try:
        named = parse_toml((task / "task.toml").read_text(encoding="utf-8")).get("reference", {}).get("file", "")
    except (OSError, ValueError, AttributeError):
        return False  # the task itself is told to be wrong when it is opened
    return (task / str(named)).absolute() == file.absolute()
