"""What a task reads from files beside its own text: headers that its reference includes, and the data of `file` inits."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from regrapht.evaluate.inputs.init_kinds import file_path
from regrapht.records.task import Task

_INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)


def task_key(task: Task) -> str:
    """What identifies a task with everything that decides what is right: its content hash, and the contents of such files.

    Headers of the system are not looked at: they belong to the compiler, whose version is asked for elsewhere.
    """
    parts = [*_headers(task), *_data(task)]
    if not parts:
        return task.content_hash
    return hashlib.sha256("\0".join([task.content_hash, *parts]).encode()).hexdigest()


def _headers(task: Task) -> Iterator[str]:
    """Each header that the reference reaches, with its hash."""
    reference = task.reference
    texts = [reference.source.text, *([reference.fast.text] if reference.fast is not None else [])]
    seen: set[Path] = set()
    while texts:
        for name in _INCLUDE.findall(texts.pop()):
            folders: list[Path] = [*map(Path, reference.include), *{one.parent for one in seen}]
            for path in [folder / name for folder in folders]:
                if path in seen or not path.is_file():
                    continue
                seen.add(path)
                text = path.read_text(errors="replace")
                yield f"{name} {hashlib.sha256(text.encode()).hexdigest()}"
                texts.append(text)


def _data(task: Task) -> Iterator[str]:
    for arg in task.args:
        if arg.init is not None and arg.init.kind == "file":
            try:
                with file_path(arg.init, task.folder).open("rb") as file:
                    yield f"{arg.name} {hashlib.file_digest(file, 'sha256').hexdigest()}"
            except OSError:
                yield f"{arg.name} missing"  # drawing from it says so in a sentence
