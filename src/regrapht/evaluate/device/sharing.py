"""Who may use a GPU now: one alone to time, or many beside each other while nobody times. Between threads, and between processes of a user.

The kernel's file locks do it, so a holder that is killed lets go at once. By themselves they are unfair: users that overlap keep one that
wants the device alone waiting for ever. So who wants that says so by a lock on a second file, and nobody begins to share meanwhile. All who
wait to be alone then follow each other: the device empties once for all of them, and that takes as long as the slowest of those who shared.
Nobody starves in turn, for whoever times a program must share the device first, to bring the program's data there.

Nor do many start processes on a device at once (`starting`): the driver makes their contexts one after another anyway, and thirty that wait
for it while they share the device would keep the next timing waiting for all of them.
"""

import contextlib
import fcntl
import io
import os
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from regrapht import settings

MACHINE = "machine"
"""In the place of a device's uuid: all devices together. Shared by who starts a process on any of them, after that one's own lease."""
STARTS_AT_ONCE = 4
"""Of processes on one device: enough that the driver always has one to make, while the others load their programs and data."""
_held = threading.local()


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """The process that has a device alone."""

    pid: int
    since: str
    """UTC, to the second."""


@contextlib.contextmanager
def exclusive(uuid: str) -> Iterator[None]:
    """Hold the device alone: nothing else of regrapht runs on it, in this process or another. Waits as long as it takes.

    Raises:
        RuntimeError: This thread holds the device already: waiting for itself would never end.
    """
    with _leased(uuid, fcntl.LOCK_EX) as descriptor:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC\n".encode(), 0)
        try:
            yield
        finally:
            os.ftruncate(descriptor, 0)


@contextlib.contextmanager
def shared(uuid: str) -> Iterator[None]:
    """Use the device beside others, while nobody is alone on it. Waits as long as it takes; until nobody waits to be alone.

    Raises:
        RuntimeError: This thread holds the device already.
    """
    with _leased(uuid, fcntl.LOCK_SH):
        yield


@contextlib.contextmanager
def starting(uuid: str) -> Iterator[None]:
    """Start a process on the device: one of `STARTS_AT_ONCE` who do, sharing it and the machine. Waits for its turn before it shares.

    Raises:
        RuntimeError: This thread holds the device already.
    """
    with _turn(uuid), shared(uuid), shared(MACHINE):
        yield


@contextlib.contextmanager
def _turn(uuid: str) -> Iterator[None]:
    """One of the places for starts: the first free one, else the end of a queue drawn at random."""
    with contextlib.ExitStack() as held:
        places = [held.enter_context(_open(f"gpu-{uuid}.start.{number}")) for number in range(STARTS_AT_ONCE)]
        random.shuffle(places)
        for place in places:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
        else:
            fcntl.flock(places[0], fcntl.LOCK_EX)
        yield


def holder(uuid: str) -> Holder | None:
    """Who holds the device alone now, for a message; None when nobody does."""
    try:
        descriptor = os.open(_folder() / f"gpu-{uuid}", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            pid, _, since = os.pread(descriptor, 200, 0).decode().strip().partition(" ")
            return Holder(pid=int(pid), since=since) if pid.isdigit() else None
        return None
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _leased(uuid: str, how: int) -> Iterator[int]:
    mine: set[str] = _held.__dict__.setdefault("uuids", set())
    if uuid in mine:
        raise RuntimeError(f"this thread holds GPU {uuid} already")
    # One open file a holder: the locks then also keep threads of one process apart.
    with contextlib.ExitStack() as held:
        wanted = held.enter_context(_open(f"gpu-{uuid}.wanted"))
        fcntl.flock(wanted, fcntl.LOCK_SH if how == fcntl.LOCK_EX else fcntl.LOCK_EX)
        device = held.enter_context(_open(f"gpu-{uuid}"))
        fcntl.flock(device, how)
        if how == fcntl.LOCK_SH:
            wanted.close()
        mine.add(uuid)
        try:
            yield device.fileno()
        finally:
            mine.discard(uuid)


def _open(name: str) -> io.FileIO:
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    return os.fdopen(os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "rb+", buffering=0)


def _folder() -> Path:
    return settings.cache() / "locks"
