"""A GPU that no longer works is taken out of use, until someone has seen to it; and whose fault it is when the trusted harness fails.

Policy alone: how to probe the device and how to run a program on it are given as callables.
"""

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from regrapht import settings
from regrapht.errors import EvaluatorUnavailable, SchemaError
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.encoding import parse_strict
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Completed

HARNESS_FAILED = frozenset({70, 71})
"""Exit statuses by which a harness says that a call of its own failed, not the candidate's. A candidate can end with them too."""
SUSPICIOUS = frozenset(
    {
        Status.CRASHED,
        Status.TIMED_OUT,
        Status.OUT_OF_MEMORY,
        Status.OUT_OF_BOUNDS,
        Status.MISALIGNED,
        Status.BAD_POINTER,
        Status.BARRIER_FAULT,
    }
)
"""Statuses of a run on the device after which the device itself is looked at."""
_PAUSE_S = 1.0
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Why and since when a device is out of use."""

    since: str
    """UTC, to the second."""
    why: str


class HarnessFailure(Exception):
    """A run ended with a status of `HARNESS_FAILED`, or never was ready. It leaves the run's own function; `run_with_one_repeat` decides
    what it means.

    Args:
        was_ready: Whether the process had its device and data when it got the candidate's object; if not, the candidate has no part in it.
    """

    def __init__(self, completed: Completed, *, was_ready: bool = True) -> None:
        super().__init__(completed.stderr.strip()[-300:] or f"exit status {completed.exit_code}")
        self.completed, self.was_ready = completed, was_ready


class DeviceHealth:
    """The health of one device, shared through the cache folder by all processes of this user on this machine.

    `probe` runs a small program with a known answer on the device, in a new process, and raises EvaluatorUnavailable when that fails.
    """

    def __init__(
        self,
        uuid: str,
        name: str,
        probe: Callable[[], object],
        *,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if not uuid.isalnum():
            raise ValueError(f"{uuid!r} is not a uuid in hex digits")
        self._name, self._probe, self._pause = name, probe, pause
        self._folder = settings.cache() / "quarantine"
        self._path = self._folder / f"gpu-{uuid}.json"

    def mark(self) -> Mark | None:
        """Why the device is out of use, or None when it is not. A file that cannot be understood is a mark too."""
        try:
            plain = parse_strict(self._path.read_bytes())
            return Mark(since=str(plain["since"]), why=str(plain["why"]))
        except FileNotFoundError:
            return None
        except (SchemaError, KeyError, TypeError, OSError) as error:
            return Mark(since="an unknown time", why=f"its mark cannot be read: {error}")

    def require_good(self) -> None:
        """To be called before every use.

        Raises:
            EvaluatorUnavailable: The device is out of use; says since when, why, and how to use it again.
        """
        if (mark := self.mark()) is not None:
            raise self._out_of_use(mark)

    def check(self, after: str) -> None:
        """See that the device still works; to be called when a run on it ended as `SUSPICIOUS` lists.

        A first failure is followed by a pause and a second look; a second one in a row takes the device out of use.

        Raises:
            EvaluatorUnavailable: It does not work.
        """
        self.require_good()
        try:
            self._probe()
            return
        except EvaluatorUnavailable:
            self._pause(_PAUSE_S)
        try:
            self._probe()
        except EvaluatorUnavailable as error:
            mark = Mark(since=_now(), why=f"twice in a row, after {after}: {error}")
            self._put(mark)
            raise self._out_of_use(self.mark() or mark) from error

    def _out_of_use(self, mark: Mark) -> EvaluatorUnavailable:
        return EvaluatorUnavailable(
            f"GPU {self._name} is out of use since {mark.since}: {mark.why}. When it works again (see `nvidia-smi`; a reset or a "
            f"restart helps most often), remove {self._path}"
        )

    def _put(self, mark: Mark) -> None:
        """The first mark stays: it is the one with the cause. Linked into place, so that nobody reads half of it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=self._folder)
        try:
            with os.fdopen(handle, "w") as file:
                json.dump({"device": self._name, "since": mark.since, "why": mark.why}, file)
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(temporary, self._path)
        finally:
            Path(temporary).unlink()


def require_harness(completed: Completed, *, was_ready: bool = True) -> None:
    """Raise `HarnessFailure` when a run ended because a call of the harness's own failed, or before it could run anything else."""
    if completed.exit_code in HARNESS_FAILED or not was_ready:
        raise HarnessFailure(completed, was_ready=was_ready)


def not_ready(failure: HarnessFailure) -> EvaluatorUnavailable:
    """To be raised when a process does not get its device and data, which is nobody's doing who is judged."""
    return EvaluatorUnavailable(
        f"the GPU could not be made ready for a program ({failure}). If its memory is full, have fewer judges beside each other, or look "
        "with `nvidia-smi` at who else uses it"
    )


def run_with_one_repeat(run: Callable[[], _Result], health: DeviceHealth) -> _Result:
    """The result of `run`, which starts a new process each time and raises `HarnessFailure` when the harness itself failed.

    The first such failure may be the machine's fault: the device is looked at, and the run made once more. A second one on a device that
    works is the candidate's doing.

    Raises:
        Rejected: The harness failed twice and the device works.
        EvaluatorUnavailable: The device does not work, or the process never got so far as to run the candidate.
    """
    try:
        return run()
    except HarnessFailure as first:
        health.check(f"the harness failed ({first})")
    try:
        return run()
    except HarnessFailure as second:
        health.check(f"the harness failed twice ({second})")
        if not second.was_ready:
            raise not_ready(second) from second
        raise Rejected(
            Status.CRASHED,
            "the harness could not go on after the candidate's call",
            feedback="After the call, CUDA no longer worked for the program around it: do not reset the device, do not exit, and do not "
            "allocate all of its memory.",
            output=second.completed.stderr[-2000:],
        ) from second


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
