"""A build with an eye on what the compiler does before it makes any code: templates and constant expressions may grow without end.

How long a whole build takes says little: an honest program whose loops are unrolled takes ten seconds of the optimiser. What comes before
that takes an honest program a fifth of a second (at most 0.21 s of 98, the largest among them), so a limit there tells the two apart. It is
one of processor time: what else a machine does makes no difference.
"""

import signal
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from threading import Event

from regrapht.emulate.toolchain import Toolchain
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox

MOST_S = 4
"""Seconds of the processor's time that a candidate may take."""
_MOST_MEMORY = 2 * 2**30
_MOST_SAID = 2**20
_LOOKS_AFTER_S = 1.0
"""Builds that end before are not looked at: nearly all do."""
_ON_WHAT = "before it makes any code: leave less of templates, constants and overloads to the compiler"


@dataclass(frozen=True, slots=True, kw_only=True)
class TooMuch:
    """What a program asks of the compiler before any code is made, where that is beyond a limit."""

    status: Status
    """TIMED_OUT or OUT_OF_MEMORY; BUILD_FAILED where it is the compiler's errors that have no end."""
    message: str


def reads(tools: Toolchain, flags: tuple[str, ...], unit: str) -> tuple[str, ...]:
    """The command line that compiles `unit` with `flags` among others, without what it makes: for `run_build`."""
    return (tools.compiler, tools.fewer_errors, *tools.flags, *flags, *tools.include, "-x", "c++", unit)


def run_build(
    sandbox: Sandbox, command: Command, limits: Limits, *, reading: tuple[str, ...], most_s: int = MOST_S
) -> tuple[Completed, TooMuch | None]:
    """Run `command`, which compiles what `reading` alone would read; one that takes long is ended where that goes beyond a limit.

    Args:
        most_s: The limit of the processor's time, in seconds.

    Raises:
        EvaluatorUnavailable: The sandbox did not start.
    """
    alone = Command(
        argv=(*reading, "-fsyntax-only"),
        files=command.files,
        read_only=command.read_only,
        environment=dict(command.environment),
    )
    allowed = Limits(wall_s=30, cpu_s=most_s, memory_bytes=_MOST_MEMORY, output_bytes=_MOST_SAID // 16)
    built, refused = Event(), Event()

    def read() -> TooMuch | None:
        if built.wait(_LOOKS_AFTER_S):
            return None
        found = _beyond_limit(sandbox.run(alone, allowed, cancel=built), most_s)
        if found is not None:
            refused.set()
        return found

    with ThreadPoolExecutor(1) as beside:
        looking = beside.submit(copy_context().run, read)
        try:
            completed = sandbox.run(command, limits, cancel=refused)
        finally:
            built.set()
        return completed, looking.result()


def _beyond_limit(done: Completed, most_s: int) -> TooMuch | None:
    """What a compiler that only read the program went beyond. g++ says how its own process ended; clang is that process."""
    if done.stopped == "memory" or "out of memory" in done.stderr:
        return TooMuch(
            status=Status.OUT_OF_MEMORY,
            message=f"the program takes the compiler more than {_MOST_MEMORY // 2**30} GiB of memory {_ON_WHAT}",
        )
    if done.stopped == "output":
        message = f"the compiler's errors have more than {_MOST_SAID // 2**20} MiB"
        return TooMuch(status=Status.BUILD_FAILED, message=message)
    ended_by = done.signal if done.exit_code is None else done.exit_code - 128
    if done.stopped == "timeout" or "CPU time limit exceeded" in done.stderr or ended_by == signal.SIGXCPU:
        return TooMuch(
            status=Status.TIMED_OUT,
            message=f"the program takes the compiler more than {most_s} s of processor time {_ON_WHAT}",
        )
    return None
