"""The tasks and programs that a server knows by name: a caller names these, never a path of the machine."""

import hashlib
import re
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from regrapht.assemble import OpenedTask, open_task
from regrapht.errors import ConfigError, UnknownName
from regrapht.records.candidate import Candidate
from regrapht.records.task import Task

MOST_CREATED = 500
"""Tasks that callers may create; the one that was used longest ago goes first."""
MOST_PROGRAMS = 5000
MOST_SOURCE_BYTES = 1 << 20
"""Of one source that a caller sends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfTask:
    """A task under its name, with what was guessed of it."""

    name: str
    opened: OpenedTask

    @property
    def task(self) -> Task:
        return self.opened.task


class Shelf:
    """Tasks that were offered when the server started, tasks that callers created, and programs by id. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._offered: dict[str, ShelfTask] = {}
        self._created: OrderedDict[str, ShelfTask] = OrderedDict()
        self._programs: OrderedDict[str, Candidate] = OrderedDict()

    def offer(self, opened: OpenedTask, *, name: str | None = None) -> ShelfTask:
        """Put a task on the shelf for good, under its own id or another name.

        Raises:
            ConfigError: Another task has that name.
        """
        entry = ShelfTask(name=name or opened.task.id, opened=opened)
        with self._lock:
            known = self._offered.get(entry.name)
            if known is not None and known.task.content_hash != opened.task.content_hash:
                raise ConfigError(f"two tasks are called {entry.name!r}: serve them one at a time, or rename one")
            self._offered[entry.name] = entry
        return entry

    def create(self, source: str, *, entry: str | None) -> ShelfTask:
        """A task from a sequential function's text; the same text is the same task.

        Raises:
            TaskError, ConfigError: It cannot be understood, or is too large.
        """
        require_size(source)
        with tempfile.TemporaryDirectory(prefix="regrapht-serve-") as folder:
            file = Path(folder) / "reference.cpp"
            file.write_text(source, encoding="utf-8")
            opened = open_task(file, entry=entry)
        return self.keep(opened, digest=hashlib.sha256(f"{entry}\0{source}".encode()).hexdigest())

    def keep(self, opened: OpenedTask, *, digest: str) -> ShelfTask:
        """A caller's task under a name made of its entry and a hash."""
        name = f"{re.sub('[^A-Za-z0-9_]', '_', opened.task.entry)}-{digest[:8]}"
        kept = ShelfTask(name=name, opened=opened)
        with self._lock:
            self._created[name] = kept
            self._created.move_to_end(name)
            if len(self._created) > MOST_CREATED:
                self._created.popitem(last=False)
        return kept

    def task(self, name: str) -> ShelfTask:
        """The task of this name.

        Raises:
            UnknownName: There is none; says which names are near.
        """
        with self._lock:
            if name in self._offered:
                return self._offered[name]
            if name in self._created:
                self._created.move_to_end(name)
                return self._created[name]
            known = [*self._offered, *self._created]
        raise unknown("task", name, known)

    def tasks(self) -> tuple[ShelfTask, ...]:
        """All tasks, those that were offered first."""
        with self._lock:
            return (*self._offered.values(), *self._created.values())

    def put(self, candidate: Candidate) -> str:
        """Keep a program; returns the id to name it by. The engine's own stays one that the engine can change, whoever sends its text."""
        program = candidate.id[:12]
        with self._lock:
            known = self._programs.get(program)
            if known is None or known.origin.decisions is None:
                self._programs[program] = candidate
            self._programs.move_to_end(program)
            if len(self._programs) > MOST_PROGRAMS:
                self._programs.popitem(last=False)
        return program

    def program(self, program: str) -> Candidate:
        """The program of this id.

        Raises:
            UnknownName: There is none, or no longer.
        """
        with self._lock:
            if program in self._programs:
                return self._programs[program]
        raise unknown("program", program, ())


def require_size(source: str) -> None:
    """Refuse what no kernel's text is.

    Raises:
        ConfigError: It is empty or longer than `MOST_SOURCE_BYTES`.
    """
    size = len(source.encode("utf-8", "surrogatepass"))
    if size > MOST_SOURCE_BYTES:
        raise ConfigError(f"the source has {size} bytes, at most {MOST_SOURCE_BYTES} are taken")
    if not source.strip():
        raise ConfigError("the source is empty")


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """That there is no such thing, with what was perhaps meant."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; list_{kind}s has all" if kind == "task" else ""
    return UnknownName(f"there is no {kind} {name[:80]!r} here{hint}")
