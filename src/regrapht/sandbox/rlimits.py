"""The weak sandbox, for machines where bubblewrap does not work: root given up, kernel limits, a process group, a memory watchdog.

It hides no file and no network from the program. Every verdict made with it carries the label `weak_sandbox`.
"""

import os
import signal
import time
import uuid
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event

from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.escaping import escape
from regrapht.sandbox.privileges import UNPRIVILEGED_ID, drop_prefix, require_readable
from regrapht.sandbox.sandbox import Command, Completed, Limits
from regrapht.sandbox.scratch import Scratch
from regrapht.sandbox.supervise import (
    GONE_WITHIN_S,
    PATH,
    limit_prefix,
    process_prefix,
    require_program,
    supervise,
    tasks_of_user,
)

_TOKEN = "REGRAPHT_SANDBOX_TOKEN"


class RlimitSandbox:
    """Runs commands with limits only. `keep_root` leaves root's rights to them and needs the user's word (`--allow-root`)."""

    name = "rlimits"

    def __init__(self, *, keep_root: bool = False) -> None:
        self._keep_root = keep_root and os.geteuid() == 0
        self.labels: tuple[str, ...] = ("weak_sandbox", "runs_as_root") if self._keep_root else ("weak_sandbox",)

    def run(self, command: Command, limits: Limits, *, cancel: Event | None = None) -> Completed:
        """As `Sandbox.run`, save that a program which detaches itself is found by its environment only."""
        require_program(command.argv[0])
        prefix = () if self._keep_root else drop_prefix()
        if prefix:
            for path in command.read_only:
                require_readable(path)
        token = uuid.uuid4().hex
        with Scratch(command.files) as scratch:
            folder = str(scratch.folder)
            variables = {
                "PATH": PATH,
                "HOME": folder,
                "LC_ALL": "C",
                **command.environment,
                _TOKEN: token,
            }
            environment = ("env", "-i", "-C", folder, *(f"{name}={value}" for name, value in variables.items()))
            user = UNPRIVILEGED_ID if prefix else os.geteuid()
            processes = process_prefix(tasks_of_user(user) + limits.processes)
            argv = (*prefix, *limit_prefix(limits), *processes, *environment, *command.argv)
            sweep = partial(_kill_marked, token)
            ending = supervise(argv, command.descriptors, limits, folder=scratch.folder, cancel=cancel, sweep=sweep)
            files = scratch.collect(command.collect, command.collect_limit_bytes)
        code = os.waitstatus_to_exitcode(ending.status)
        return Completed(
            exit_code=None if code < 0 or ending.stopped else code,
            signal=-code if code < 0 and not ending.stopped else None,
            stopped=ending.stopped,
            stdout=escape(ending.stdout, limit_bytes=limits.output_bytes),
            stderr=escape(ending.stderr, limit_bytes=limits.output_bytes),
            files=files,
            wall_s=ending.wall_s,
            memory_limit_bytes=limits.memory_bytes if ending.stopped == "memory" else None,
        )


def _kill_marked(token: str) -> None:
    """End processes that left the group but still carry this command's token in their environment.

    One that forks and ends while we look is missed in one look, and its child found in the next: until two looks in a row find nobody.

    Raises:
        EvaluatorUnavailable: Some live on.
    """
    marker, clean = f"{_TOKEN}={token}".encode(), 0
    deadline = time.monotonic() + GONE_WITHIN_S
    while clean < 2 and time.monotonic() < deadline:
        clean = 0 if end_those_with(marker) else clean + 1
    if clean < 2:
        raise EvaluatorUnavailable("processes that left their group survive being killed")


def end_those_with(marker: bytes) -> bool:
    """End all processes that have `NAME=VALUE` in their environment; whether there was any. One that is dead already has none."""
    found = False
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        with suppress(OSError):
            if marker in Path(f"/proc/{entry}/environ").read_bytes().split(b"\0"):
                os.kill(int(entry), signal.SIGKILL)
                found = True
    return found
