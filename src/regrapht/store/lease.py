"""Who works on a run: a process, named so that its number being used again by another one is noticed."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import ConfigError
from regrapht.records.encoding import from_json
from regrapht.records.run import RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """One holder of a run. Time plays no part: a stopped process still holds what it held."""

    pid: int
    boot_id: str
    """Of the kernel's present boot; empty where the system does not tell."""
    started: str
    """The process's start, in clock ticks after boot; empty where the system does not tell."""
    namespace: str
    """Of process ids: within another one, a container's say, the same number is another process."""
    nonce: str
    """Tells two stores of one process apart."""

    @classmethod
    def of_this_process(cls) -> "Lease":
        """A new lease, held by the calling process."""
        return cls(
            pid=os.getpid(),
            boot_id=_boot_id(),
            started=_start_of(os.getpid()) or "",
            namespace=_pid_namespace(),
            nonce=secrets.token_hex(8),
        )

    @property
    def is_stale(self) -> bool:
        """True when the holder is certainly gone: its process ended, or the machine started anew.

        False when it lives, and when this cannot be known because it belongs to another namespace of process ids.
        """
        if self.boot_id != _boot_id():
            return True
        if self.namespace != _pid_namespace():
            return False
        start = _start_of(self.pid)
        return start is None or (bool(start and self.started) and start != self.started)

    def refuse_if_live(self, run_id: str, *, force: bool) -> None:
        """Return when the run may be taken from this holder; `force` settles what cannot be known, never what is known.

        Raises:
            ConfigError: It may not.
        """
        is_foreign = self.namespace != _pid_namespace()
        if self.is_stale or (force and is_foreign):
            return
        if is_foreign:
            raise ConfigError(
                f"run {run_id} is held by process {self.pid} of another container: end it there, or take it with --force once it is gone"
            )
        raise ConfigError(f"run {run_id} is being worked on by process {self.pid}: wait for it or end it")


def state_now(state: RunState, lease: str | None) -> RunState:
    """What a run is in, who holds it considered: one whose process was ended before it could say so is interrupted.

    Args:
        state: As the run's process wrote it last.
        lease: Its holder as it is stored.
    """
    if state is RunState.RUNNING and (lease is None or from_json(Lease, lease).is_stale):
        return RunState.INTERRUPTED
    return state


def _boot_id() -> str:
    return _read(Path("/proc/sys/kernel/random/boot_id")).strip()


def _pid_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _start_of(pid: int) -> str | None:
    """When a process started; None when it is gone, empty when it is there but its start is not told."""
    text = _read(Path(f"/proc/{pid}/stat"))
    if not text:
        return "" if process_exists(pid) else None
    # The second field is the program's name in brackets, which may itself hold spaces and brackets.
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]


def process_exists(pid: int) -> bool:
    """Whether any process has this number now."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _read(path: Path) -> str:
    """The file's text; empty where this system has no such file or does not show it."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
