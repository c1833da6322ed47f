"""What a running command uses: the memory of its processes together, files without a name, and its scratch folder."""

import os
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from regrapht.sandbox.sandbox import Limits

_MEMORY_EACH_S, _FOLDER_EACH_S = 0.02, 0.25
_WALK_S = 0.02
_SHARE = 20
"""The watchdog waits this many times what its last look cost, so that it takes at most 5 % of a core for each kind of look."""
_FILLED_A_SECOND = 8 * 2**30
"""Memory that a command can fill in a second, roughly: with room left, the next look can wait, and a judge watches dozens of commands."""
_LATEST_S = 0.25
FileId = tuple[int, int]
"""Device and inode."""


class Watchdog:
    """Looks at one running command again and again, as often as is cheap."""

    def __init__(self, pid: int, limits: Limits, *, given: Collection[FileId], folder: Path) -> None:
        self._pid, self._limits, self._given, self._folder = pid, limits, given, folder
        self._walk, self._seen_bytes = sizes_in(folder), 0
        now = time.monotonic()
        self._next_memory, self._next_folder = now + _MEMORY_EACH_S, now + _FOLDER_EACH_S

    def exceeded(self) -> str | None:
        """`memory` or `output` when the command now uses more than it may of that, else None."""
        now = time.monotonic()
        if now >= self._next_memory:
            left = self._limits.memory_bytes - self._used_bytes(self._limits.memory_bytes)
            if left < 0:
                return "memory"
            self._next_memory = _next(now, max(_MEMORY_EACH_S, min(_LATEST_S, left / _FILLED_A_SECOND)))
        if now >= self._next_folder:
            too_much = self._walk_on(now + _WALK_S)
            self._next_folder = _next(now, _FOLDER_EACH_S)
            if too_much:
                return "output"
        return None

    def _walk_on(self, until: float) -> bool:
        """Whether the scratch folder is too large. Goes on where it stopped: one made to be endless must not hold up the other limits."""
        for size in self._walk:
            self._seen_bytes += size
            if self._seen_bytes > self._limits.scratch_bytes:
                return True
            if time.monotonic() > until:
                return False
        self._walk, self._seen_bytes = sizes_in(self._folder), 0
        return False

    def _used_bytes(self, limit_bytes: int) -> int:
        """What the command uses now; pages that its processes share count for each unless that is more than the limit."""
        pids = process_tree(self._pid)
        unnamed = unnamed_bytes(pids, given=self._given)
        used = resident_bytes(pids) + unnamed
        # Shared pages count once only in the proportional size, for which the kernel walks every page: asked for when the rest is too much.
        return used if used <= limit_bytes else memory_bytes(pids) + unnamed


def _next(begun: float, least_s: float) -> float:
    now = time.monotonic()
    return now + max(least_s, _SHARE * (now - begun))


def process_tree(root: int) -> list[int]:
    """`root` and its descendants."""
    found, todo = [], [root]
    while todo:
        pid = todo.pop()
        found.append(pid)
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                todo += map(int, _told(f"/proc/{pid}/task/{task}/children").split())
    return found


def _told(path: str) -> bytes:
    """What the kernel says in a small file: read without all that a file object does, since it is read fifty times a second."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = [os.read(descriptor, 4096)]
        while parts[-1]:
            parts.append(os.read(descriptor, 4096))
    finally:
        os.close(descriptor)
    return b"".join(parts)


def memory_bytes(pids: Iterable[int]) -> int:
    """Proportional set size of the processes together; resident size where the kernel does not tell."""
    total = 0
    for pid in pids:
        try:
            lines = _told(f"/proc/{pid}/smaps_rollup").splitlines()
            total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(b"Pss:"))
        except OSError:
            total += resident_bytes([pid])
    return total


def resident_bytes(pids: Iterable[int]) -> int:
    """Resident set size of the processes together, pages that they share counted for each: quick to tell, and never too little."""
    pages = 0
    for pid in pids:
        with suppress(OSError, IndexError):
            pages += int(_told(f"/proc/{pid}/statm").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def unnamed_bytes(pids: Iterable[int], *, given: Collection[FileId]) -> int:
    """Space taken by open files that no folder lists: memory files and deleted ones, save those `given` to the command.

    Pages of theirs that are mapped too are also part of `memory_bytes`.
    """
    sizes: dict[FileId, int] = {}
    for pid in pids:
        with suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd"):
                try:
                    status = os.stat(f"/proc/{pid}/fd/{name}")
                except OSError:  # closed since it was listed
                    continue
                if not status.st_nlink and stat.S_ISREG(status.st_mode):
                    sizes[(status.st_dev, status.st_ino)] = status.st_blocks * 512
    return sum(size for file, size in sizes.items() if file not in given)


def file_ids(descriptors: Iterable[int]) -> frozenset[FileId]:
    """The files behind open descriptors of ours."""
    found = (os.fstat(fd) for fd in descriptors)
    return frozenset((status.st_dev, status.st_ino) for status in found)


def sizes_in(folder: Path) -> Iterator[int]:
    """Space taken by each file and folder in `folder`, as far as it can be entered. Links are not followed."""
    todo = [str(folder)]
    while todo:
        with suppress(OSError), os.scandir(todo.pop()) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
                    yield entry.stat(follow_symlinks=False).st_blocks * 512
