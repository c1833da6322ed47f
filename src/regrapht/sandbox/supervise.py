"""Starting one program and watching it to its end: descriptors, wall clock, memory and output."""

import fcntl
import os
import select
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.giving_up import is_given_up, require_awaited
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.usage import Watchdog, file_ids, process_tree

PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where programs are looked for in a sandbox."""
_POLL_S = 0.02
_FLOOD = 16
"""A program that prints this many times what is kept of its output is stopped."""
GONE_WITHIN_S = 5.0
"""Processes that live on this long after being killed are the machine's fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a supervised program ended. `status` is the raw wait status."""

    status: int
    stopped: str | None
    stdout: bytes
    stderr: bytes
    wall_s: float


def limit_prefix(limits: Limits) -> tuple[str, ...]:
    """The `prlimit` prefix that sets the kernel's limits for the program after it, all but the one on processes."""
    cpu_s = limits.cpu_s if limits.cpu_s is not None else int(limits.wall_s * (os.cpu_count() or 1)) + 2
    options = [
        f"--cpu={cpu_s}:{cpu_s + 1}",  # first SIGXCPU, which names itself, then SIGKILL
        f"--fsize={limits.file_bytes}",
        "--nofile=256",
        "--core=0",
        f"--stack={64 * 2**20}",
    ]
    if limits.data_bytes is not None:
        options.append(f"--data={limits.data_bytes}")
    return ("prlimit", *options, "--")


def require_program(name: str) -> None:
    """Check that a command's program is there; one in the scratch folder (`./harness`) is the command's own affair.

    Raises:
        EvaluatorUnavailable: It is not.
    """
    if not name.startswith("./") and shutil.which(name, path=PATH) is None:
        raise EvaluatorUnavailable(f"there is no program {name} on this machine")


def process_prefix(processes: int) -> tuple[str, ...]:
    """The prefix that limits the number of processes. The kernel counts them by user, and apart in each user namespace."""
    return ("prlimit", f"--nproc={processes}", "--")


def tasks_of_user(user_id: int) -> int:
    """How many processes and threads a user has now."""
    total = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                if os.stat(f"/proc/{entry}").st_uid == user_id:
                    total += len(os.listdir(f"/proc/{entry}/task"))
    return total


def supervise(
    argv: Sequence[str],
    descriptors: Mapping[int, int],
    limits: Limits,
    *,
    folder: Path,
    cancel: threading.Event | None = None,
    sweep: Callable[[], None] = lambda: None,
) -> Ending:
    """Run `argv` in a process group of its own until it ends, meets a limit or is cancelled. On return none of its processes is left.

    The child has /dev/null, two pipes and `descriptors` (child -> parent), nothing else. `folder` is its scratch folder, whose size is
    watched. `sweep` ends processes that left the group: it is called when the program has ended, for they may hold its pipes, and again
    when the pipes are closed.

    Raises:
        EvaluatorUnavailable: The program cannot be started, or survives being killed; or nobody waits for it any more (`giving_up`).
    """
    require_awaited()
    started = time.monotonic()
    out_read, out_write = os.pipe2(os.O_CLOEXEC)
    err_read, err_write = os.pipe2(os.O_CLOEXEC)
    readers = [_Reader(out_read, limits.output_bytes), _Reader(err_read, limits.output_bytes)]
    try:
        with _raised(descriptors) as raised:
            pid = _spawn(argv, {1: out_write, 2: err_write, **raised})
    finally:
        os.close(out_write)
        os.close(err_write)
        for reader in readers:
            reader.start()
    watchdog = Watchdog(pid, limits, given=file_ids(descriptors.values()), folder=folder)
    try:
        stopped, status = _watch(pid, started, limits, readers, cancel, watchdog)
    finally:
        sweep()
    for reader in readers:
        reader.join(GONE_WITHIN_S)
    sweep()
    if stopped == "cancelled":
        require_awaited()
    wall_s = time.monotonic() - started
    return Ending(status=status, stopped=stopped, stdout=readers[0].kept, stderr=readers[1].kept, wall_s=wall_s)


@contextmanager
def _raised(descriptors: Mapping[int, int]) -> Iterator[dict[int, int]]:
    """Copies of the parent's descriptors high up, so that placing one in the child never overwrites another."""
    raised: dict[int, int] = {}
    try:
        for child, parent in descriptors.items():
            raised[child] = fcntl.fcntl(parent, fcntl.F_DUPFD_CLOEXEC, 200)
        yield raised
    finally:
        for fd in raised.values():
            os.close(fd)


def _spawn(argv: Sequence[str], descriptors: Mapping[int, int]) -> int:
    # posix_spawn and not fork: other threads may hold locks.
    actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        *((os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable()),
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        *((os.POSIX_SPAWN_DUP2, parent, child) for child, parent in descriptors.items()),
    ]
    try:
        # Python ignores SIGPIPE and SIGXFSZ, and whoever started us perhaps others: ignored signals would stay so in the program.
        return os.posix_spawnp(
            argv[0],
            list(argv),
            {"PATH": PATH},
            file_actions=actions,
            setpgroup=0,
            setsigmask=(),
            setsigdef=signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP},
        )
    except OSError as error:
        raise EvaluatorUnavailable(f"cannot start {argv[0]}: {error.strerror}") from error


def _inheritable() -> list[int]:
    """Descriptors that would pass to a child: those our own parent left open. All that Python opens closes on exec."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if os.get_inheritable(int(name)):
                found.append(int(name))
    return found


class _Reader(threading.Thread):
    """Drains one pipe, keeping the first `limit` bytes, so that a full pipe never stops the program."""

    def __init__(self, fd: int, limit_bytes: int) -> None:
        super().__init__(daemon=True)
        self._fd, self._limit_bytes = fd, limit_bytes
        self.kept = b""
        self.flooded = False

    def run(self) -> None:
        kept, total = bytearray(), 0
        with open(self._fd, "rb", buffering=0) as pipe:
            while data := pipe.read(65536):
                total += len(data)
                kept += data[: max(0, self._limit_bytes - len(kept))]
                self.kept = bytes(kept) if total <= self._limit_bytes else self.kept
                if total > _FLOOD * self._limit_bytes:
                    self.flooded = True
        self.kept = bytes(kept)


def _watch(
    pid: int,
    started: float,
    limits: Limits,
    readers: Sequence[_Reader],
    cancel: threading.Event | None,
    watchdog: Watchdog,
) -> tuple[str | None, int]:
    pause_s = 0.001
    stopped: str | None = None
    with _end_of(pid) as wait:
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                break
            now = time.monotonic()
            if now - started > limits.wall_s:
                stopped = "timeout"
            elif (cancel is not None and cancel.is_set()) or is_given_up():
                stopped = "cancelled"
            elif any(reader.flooded for reader in readers):
                stopped = "output"
            else:
                stopped = watchdog.exceeded()
            if stopped:
                status = _kill(pid)
                break
            wait(pause_s)
            pause_s = min(_POLL_S, pause_s * 1.5)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return stopped, status


@contextmanager
def _end_of(pid: int) -> Iterator[Callable[[float], object]]:
    """A wait of so many seconds that ends with the process: a short program is not found to have ended a pause later."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:  # a kernel that has no such descriptors: pauses are short
        yield time.sleep
        return
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    try:
        yield lambda seconds: poller.poll(1000 * seconds)
    finally:
        os.close(descriptor)


def _kill(pid: int) -> int:
    """Kill the group and whatever descends from it; wait until all of it is gone."""
    family = process_tree(pid)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    deadline = time.monotonic() + GONE_WITHIN_S
    while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
        if time.monotonic() > deadline:  # it hangs in the kernel, as in a call of a GPU's driver
            raise EvaluatorUnavailable(f"process {pid} survives being killed")
        time.sleep(0.002)
    while alive := [p for p in family if p != pid and _is_running(p)]:
        for member in alive:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise EvaluatorUnavailable(f"processes {alive} survive being killed")
        time.sleep(0.005)
    return ended[1]


def _is_running(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat[stat.rindex(")") + 2] not in "ZX"
