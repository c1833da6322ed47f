"""Where in a user's file the transform engine stopped."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from regrapht.errors import CannotTransform
from regrapht.records.task import Task


def reference_file(path: Path, task: Task) -> Path:
    """The file with the reference of the task that was opened at `path`: a folder, its `task.toml`, or the bare file itself."""
    if path.is_file() and path.name != "task.toml":
        return path
    return (path if path.is_dir() else path.parent) / task.reference.source.name


@contextmanager
def naming_file(path: Path, task: Task) -> Iterator[None]:
    """Inside, what the transform engine cannot take is raised with its file, its line and the text there."""
    try:
        yield
    except CannotTransform as error:
        lines, line, reason = task.reference.source.text.splitlines(), error.line, error.reason
        quoted = lines[line - 1].strip() if line is not None and 1 <= line <= len(lines) else None
        file = str(reference_file(path, task))
        if task.home is not None and line is not None:
            file, line = task.home.where(line)
        if task.home is not None:
            reason = task.home.in_own_lines(reason)
        raise CannotTransform(
            reason,
            line=line,
            remedy=error.remedy,
            file=file,
            quoted=quoted,
        ) from error
