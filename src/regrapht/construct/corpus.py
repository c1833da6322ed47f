"""The corpus: trajectories as folders of files, which a person can read, edit and review.

corpus/<family>/<task>/task.toml, reference.cpp ...     a task, as everywhere
corpus/<family>/<task>/<trajectory>/trajectory.toml     title, source, licence, and [[steps]]: technique, think, detail, file; a collected
                                                        one also `run`, and `label` on steps that a model put into the vocabulary's words
corpus/<family>/<task>/<trajectory>/01_map_to_threads.cu ...    the program after each step, complete
corpus/<family>/<task>/<trajectory>/verdicts.json       what the judge said of each (see `construct.verdict_file`)
corpus/techniques.toml                                  techniques that its trajectories declare new, in the form of the vocabulary
corpus/quarantine.txt                                   what must not enter a graph, one provenance a line (see `construct.quarantine_list`)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regrapht.errors import TaskError
from regrapht.records.task import Task
from regrapht.records.toml_text import parse_toml
from regrapht.records.trajectory import Step, Trajectory
from regrapht.tasks.load import load_task

TRAJECTORY_FILE = "trajectory.toml"
MAX_FILE_BYTES = 1024 * 1024
MAX_STEPS = 99
_FOLDER = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_STEP_FILE = re.compile(r"[0-9]{2}_[a-z0-9_]{1,64}\.cu")
_KEYS = ("title", "source", "licence", "steps")
_OPTIONAL = ("run",)
_STEP_KEYS = ("technique", "think", "detail", "file")
_STEP_OPTIONAL = ("label",)
_RUN = re.compile(r"[a-z0-9][a-z0-9_.-]{0,79}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusTrajectory:
    """One trajectory of the corpus with its task. `files` are the names of its steps' programs, in order."""

    folder: Path
    title: str
    task: Task
    trajectory: Trajectory
    files: tuple[str, ...]
    run: str = ""
    """The collection that brought it in; empty for one that was written into the corpus."""

    @property
    def provenance(self) -> str:
        """`task/trajectory`, or `run/task/trajectory`: what exemplars, paths and outcomes out of it carry."""
        return "/".join(part for part in (self.run, self.task.id, self.name) if part)

    @property
    def name(self) -> str:
        """The trajectory's name within its task."""
        return self.folder.name


def read_corpus(folder: Path) -> tuple[CorpusTrajectory, ...]:
    """Every trajectory of a corpus, sorted by family, task and name.

    Raises:
        TaskError: Something is missing, unknown, misnamed or contradictory; the message names file, key and remedy.
    """
    if not folder.is_dir():
        raise TaskError(
            "there is no such folder", file=str(folder), remedy="give the folder that holds corpus/<family>/<task>"
        )
    found: list[CorpusTrajectory] = []
    folder_of: dict[str, Path] = {}
    for family in _folders(folder):
        for task_folder in _folders(family):
            task = load_task(task_folder)
            file = str(task_folder / "task.toml")
            if task.id != task_folder.name:
                raise TaskError(
                    f"{task.id!r} is not the folder's name", file=file, key="id", remedy="rename one of them"
                )
            if task.family != family.name:
                raise TaskError(
                    f"{task.family!r} is not the folder above", file=file, key="family", remedy="move or rename"
                )
            if (other := folder_of.setdefault(task.id, task_folder)) != task_folder:
                raise TaskError(
                    f"{task.id!r} is also the task in {other}", file=file, key="id", remedy="choose another id"
                )
            trajectories = [read_trajectory(inner, task) for inner in _folders(task_folder)]
            if not trajectories:
                raise TaskError(
                    "the task has no trajectory", file=str(task_folder), remedy=f"add a folder with a {TRAJECTORY_FILE}"
                )
            found.extend(trajectories)
    if not found:
        raise TaskError(
            "the corpus is empty", file=str(folder), remedy="give the folder that holds corpus/<family>/<task>"
        )
    return tuple(found)


def read_trajectory(folder: Path, task: Task) -> CorpusTrajectory:
    """The trajectory in one folder.

    Raises:
        TaskError: As `read_corpus`.
    """
    file = folder / TRAJECTORY_FILE
    table = _toml(file)
    _check_keys(table, _KEYS, _OPTIONAL, file, "")
    steps = table["steps"]
    if (
        not isinstance(steps, list)
        or not 0 < len(steps) <= MAX_STEPS
        or not all(isinstance(step, dict) for step in steps)
    ):
        remedy = f"write [[steps]], at most {MAX_STEPS} of them"
        raise TaskError("must be a list of tables, one a step", file=str(file), key="steps", remedy=remedy)
    made, files = [], []
    for index, step in enumerate(steps, start=1):
        where = f"steps[{index}]"
        _check_keys(step, _STEP_KEYS, _STEP_OPTIONAL, file, where + ".")
        name = _text(step, "file", file, where)
        if not _STEP_FILE.fullmatch(name) or not name.startswith(f"{index:02}_"):
            example = f"{index:02}_technique.cu"
            raise TaskError(
                f"{name!r:.80} is not a file of this step",
                file=str(file),
                key=f"{where}.file",
                remedy=f"call it {example}",
            )
        files.append(name)
        made.append(
            Step(
                think=_text(step, "think", file, where).strip(),
                method=_text(step, "technique", file, where).strip(),
                detail=_text(step, "detail", file, where).strip(),
                code=_read(folder / name),
                technique=_text(step, "label", file, where).strip() if "label" in step else None,
            )
        )
    if stray := sorted({path.name for path in folder.glob("*.cu")} - set(files)):
        raise TaskError(
            f"{stray[0]} belongs to no step", file=str(file), key="steps", remedy="name it in a step, or delete it"
        )
    trajectory = Trajectory(
        task_id=task.id,
        family=task.family,
        source=_text(table, "source", file, ""),
        licence=_text(table, "licence", file, ""),
        steps=tuple(made),
    )
    run = _text(table, "run", file, "") if "run" in table else ""
    if run and not _RUN.fullmatch(run):
        remedy = "use lower case letters, digits, -, _ and ."
        raise TaskError(f"{run!r:.80} is not a name of a run", file=str(file), key="run", remedy=remedy)
    title = _text(table, "title", file, "")
    return CorpusTrajectory(folder=folder, title=title, task=task, trajectory=trajectory, files=tuple(files), run=run)


def _folders(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.name.startswith("."):
            if path.is_symlink() or not _FOLDER.fullmatch(path.name):
                remedy = "use lower case letters, digits, - and _, and no links"
                raise TaskError("is not a folder name that a corpus can have", file=str(path), remedy=remedy)
            yield path


def _check_keys(
    table: dict[str, Any], keys: tuple[str, ...], optional: tuple[str, ...], file: Path, where: str
) -> None:
    for key in keys:
        if key not in table:
            raise TaskError("is missing", file=str(file), key=where + key, remedy=f"add {key} = ...")
    for key in table:
        if key not in keys + optional:
            known = ", ".join(keys + optional)
            raise TaskError("is unknown", file=str(file), key=where + key, remedy=f"known are {known}")


def _text(table: dict[str, Any], key: str, file: Path, where: str) -> str:
    value = table[key]
    if not isinstance(value, str) or not value.strip():
        place = f"{where}.{key}" if where else key
        raise TaskError("must be a text that says something", file=str(file), key=place, remedy=f'write {key} = "..."')
    return value


def _toml(file: Path) -> dict[str, Any]:
    try:
        return parse_toml(_read(file))
    except ValueError as error:
        raise TaskError(f"is not TOML: {error}", file=str(file), remedy="correct that line") from error


def _read(file: Path) -> str:
    try:
        if file.is_symlink() or not file.is_file():
            raise TaskError("there is no such file", file=str(file), remedy="write it, or correct the name")
        if file.stat().st_size > MAX_FILE_BYTES:
            raise TaskError(f"is larger than {MAX_FILE_BYTES} bytes", file=str(file), remedy="a step is one program")
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise TaskError("is not UTF-8 text", file=str(file), remedy="save it as UTF-8") from error
    except OSError as error:
        raise TaskError(
            f"cannot be read: {error.strerror or error}", file=str(file), remedy="check its permissions"
        ) from error
