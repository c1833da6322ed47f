"""Running what is not trusted: the interface that compilers and candidates are run through.

A command sees the files it is handed, a private scratch folder and nothing else that a real sandbox can hide. What a back-end cannot
enforce is in its `labels`, which go onto every verdict.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a command may use at most."""

    wall_s: float
    cpu_s: int | None = None
    """None: the wall limit, rounded up, for each core it may use."""
    memory_bytes: int = 4 * 2**30
    """Summed over its processes: private pages, their share of common ones, and open files without a name."""
    data_bytes: int | None = None
    """Limit of private writable memory by the kernel, for commands that do not reserve more than they touch."""
    file_bytes: int = 256 * 2**20
    """Size of any one file that it writes."""
    scratch_bytes: int = 2 * 2**30
    """Space of its scratch folder with all in it."""
    output_bytes: int = 2**20
    """Kept of stdout and of stderr, each; a command that writes 16 times more is stopped."""
    processes: int = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command line to run, with everything it may see."""

    argv: tuple[str, ...]
    files: Mapping[str, bytes | Path] = field(default_factory=dict)
    """Name -> contents or an existing file, put into the scratch folder (its working directory) before the start."""
    collect: tuple[str, ...] = ()
    """Names of files in the scratch folder to read back (regular files only, no links followed)."""
    collect_limit_bytes: int = 256 * 2**20
    read_only: tuple[Path, ...] = ()
    """Further files and folders that it may read, at their own paths. System libraries and compilers are always readable."""
    descriptors: Mapping[int, int] = field(default_factory=dict)
    """Descriptor in the child -> open descriptor here; the child inherits these, /dev/null and two pipes, nothing else."""
    environment: Mapping[str, str] = field(default_factory=dict)
    gpu: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """What became of a command. Exactly one of `exit_code` and `signal` is set unless it was stopped for a limit."""

    exit_code: int | None
    signal: int | None
    stopped: str | None
    """`timeout`, `memory` or `output` when a limit ended it, `cancelled` when its caller did."""
    stdout: str
    stderr: str
    """Both capped and escaped: never parse them for a result."""
    files: Mapping[str, bytes]
    wall_s: float
    memory_limit_bytes: int | None = None
    """What it was allowed, where it was stopped for its memory."""

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and self.stopped is None


class Sandbox(Protocol):
    """Runs commands that are not trusted."""

    name: str
    labels: tuple[str, ...]
    """What it does not enforce, such as `weak_sandbox`."""

    def run(self, command: Command, limits: Limits, *, cancel: Event | None = None) -> Completed:
        """Run to the end or to a limit; when it returns, no process of the command is left.

        Args:
            cancel: Ends the command when it is set, from whatever thread.

        Raises:
            EvaluatorUnavailable: The sandbox itself did not start.
        """
        ...
