"""The files that `regrapht init` writes: a `task.toml`, and for a function of a project its reference and where it is from."""

from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import TaskError
from regrapht.records.encoding import to_json
from regrapht.records.user_code import BuildFlags, Home
from regrapht.tasks.draft import DraftTask, draft_function
from regrapht.tasks.function_text import read_function
from regrapht.tasks.infer import InferredTask
from regrapht.tasks.write import HOME_FILE

TASK_FILE = "task.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftFiles:
    """A draft and the files that it is written to."""

    draft: DraftTask
    files: dict[str, str]
    home: Home | None


def target_of(file: Path, project_task: str | None, out: Path | None) -> Path:
    """Where the `task.toml` goes: beside a bare file, into a folder of its own for a function of a project."""
    if out is not None:
        return out / TASK_FILE if out.is_dir() or not out.suffix else out
    return Path(project_task) / TASK_FILE if project_task is not None else file.parent / TASK_FILE


def task_files(inferred: InferredTask) -> dict[str, str]:
    """Name -> text of what makes the task."""
    task = inferred.task
    files = {TASK_FILE: inferred.toml_text}
    if task.home is not None:
        files |= {task.reference.source.name: task.reference.source.text, HOME_FILE: to_json(task.home) + "\n"}
    return files


def drafted_files(path: Path, *, entry: str | None, flags: BuildFlags, refused: TaskError) -> DraftFiles:
    """What can be written of a task that cannot be inferred whole.

    Raises:
        TaskError: `refused`, where a draft would not help.
    """
    try:
        found = read_function(path, entry=entry, flags=flags)
    except TaskError:
        raise refused from None
    draft = draft_function(found)
    if draft is None:
        raise refused
    files = {TASK_FILE: draft.toml_text}
    if found.home is not None:
        files |= {found.name: found.text, HOME_FILE: to_json(found.home) + "\n"}
    return DraftFiles(draft=draft, files=files, home=found.home)
