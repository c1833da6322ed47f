"""What this machine can do, found by trying it: compilers, sandbox, emulator, GPU, sanitizer, store, and every judge on its promises."""

import os
import platform
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from regrapht import settings
from regrapht.errors import EvaluatorUnavailable, RegraphtError, UserFixable
from regrapht.evaluate import EVALUATORS
from regrapht.evaluate.evaluator import Evaluator
from regrapht.sandbox.choose import choose
from regrapht.sandbox.sandbox import Command, Limits, Sandbox

Progress = Callable[[str], None]
_ASK = Limits(wall_s=5, memory_bytes=2**28)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was tried."""

    name: str
    works: bool
    needed: bool
    """Whether regrapht can do its main job without it."""
    detail: str
    fix: str = ""
    findings: tuple[str, ...] = ()
    """What was seen, one line each."""


def _silent(_: str) -> None:
    """No progress is shown."""


def examine(*, quick: bool = False, allow_root: bool = False, progress: Progress = _silent) -> Iterator[Check]:
    """Try everything in turn; each check is given as soon as it is known.

    Args:
        quick: Leave out the examination of the judges by the suite that every evaluator must pass.
        progress: Told what is being tried, while a judge is examined.
    """
    yield from _tools()
    yield _writable("store", settings.home(), "set REGRAPHT_HOME to a folder that you may write")
    yield _writable("cache", settings.cache(), "set REGRAPHT_CACHE to a folder that you may write")
    try:
        choice = choose(allow_root=allow_root)
    except RegraphtError as error:
        fix = "" if isinstance(error, UserFixable) else "run as an ordinary user, or install bubblewrap"
        yield Check(name="sandbox", works=False, needed=True, detail=str(error), fix=fix)
        return
    strong, labels = not choice.reason, ", ".join(choice.sandbox.labels)
    weak = f"bubblewrap does not work here, so every verdict will carry the label {labels}: {choice.reason}"
    yield Check(
        name="sandbox",
        works=strong,
        needed=False,
        detail="bubblewrap" if strong else weak,
        fix="apt install bubblewrap; on Ubuntu 23.10 and newer allow it unprivileged user namespaces",
    )
    yield from _enforced(choice.sandbox, strong=strong)
    for name in EVALUATORS.names():
        yield from _judge(name, choice.sandbox, quick=quick, progress=progress)


def _tools() -> Iterator[Check]:
    yield Check(name="python", works=sys.version_info >= (3, 11), needed=True, detail=platform.python_version())
    fix = "install g++ 12 or newer (Debian, Ubuntu: apt install g++), or set CXX"
    yield _program("C++ compiler", settings.cxx(), needed=True, fix=fix)
    fix = 'install the CUDA toolkit, or pip install "regrapht[cuda]"'
    yield _program("nvcc", settings.nvcc() or "nvcc", needed=False, fix=fix)
    fix = "no NVIDIA driver here: kernels are verified on the emulator, not timed"
    yield _program("GPU driver", "nvidia-smi", needed=False, fix=fix)
    yield _program("compute-sanitizer", "compute-sanitizer", needed=False, fix="it is part of the CUDA toolkit")
    yield _program("Nsight Compute", "ncu", needed=False, fix="it is part of the CUDA toolkit")


def _program(name: str, program: str, *, needed: bool, fix: str) -> Check:
    path = shutil.which(program)
    if path is None:
        return Check(name=name, works=False, needed=needed, detail=f"{program} is not on the path", fix=fix)
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(name=name, works=False, needed=needed, detail=f"{path} --version: {error}", fix=fix)
    lines = [line for line in done.stdout.splitlines() if any(c.isdigit() for c in line)] or [
        f"exit code {done.returncode}"
    ]
    return Check(name=name, works=done.returncode == 0, needed=needed, detail=f"{path}: {lines[0].strip()}", fix=fix)


def _enforced(sandbox: Sandbox, *, strong: bool) -> Iterator[Check]:
    """What the sandbox in use really enforces: each row asks from inside, with access(2) and connects, never by writing.

    A strong sandbox must hold every row; a weak one promises the last alone.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        for name, script in _rows(server.getsockname()[1]).items():
            try:
                held = sandbox.run(Command(argv=("bash", "-c", script)), _ASK).ok
                said = "yes" if held else "no"
            except EvaluatorUnavailable as error:
                held, said = False, str(error)
            yield Check(name=f"sandbox {name}", works=held, needed=strong, detail=said, fix="install bubblewrap")
    done = sandbox.run(Command(argv=("sh", "-c", "while :; do :; done")), Limits(wall_s=0.3))
    held = done.stopped == "timeout"
    yield Check(name="sandbox ends what never ends", works=held, needed=True, detail=f"after {done.wall_s:.2f} s")


def _rows(port: int) -> dict[str, str]:
    """What is asked inside, as shell scripts that end with 0 where the sandbox holds. `port` is a server's on this machine."""
    own = shlex.quote(Path("/proc/self/cmdline").read_text(errors="replace").replace("\0", " "))
    return {
        "hides the home folder": f"test ! -e {shlex.quote(str(Path.home()))}",
        "hides the store": f"test ! -e {shlex.quote(str(settings.home()))}",
        # A process of its own may have our number inside; it is ours only if it has our command line.
        "hides other processes": f"test \"$(tr '\\0' ' ' 2>/dev/null </proc/{os.getpid()}/cmdline)\" != {own}",
        "has no network": f"test -r /proc/net/dev && ! (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null",
        "is not root over the host": "test ! -w /proc/sys/kernel/core_pattern",
    }


def _writable(name: str, folder: Path, fix: str) -> Check:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return Check(name=name, works=False, needed=True, detail=f"{folder}: {error.strerror}", fix=fix)
    return Check(name=name, works=True, needed=True, detail=str(folder))


def _judge(name: str, sandbox: Sandbox, *, quick: bool, progress: Progress) -> Iterator[Check]:
    """Whether one judge is available, and which of its promises it keeps."""
    needed = name == "emulated"
    try:
        evaluator: Evaluator = EVALUATORS.load(name)(sandbox)
        availability = evaluator.availability()
    except Exception as error:  # an evaluator of somebody else's that cannot even be made is a finding
        yield Check(name=f"{name} judge", works=False, needed=needed, detail=f"{type(error).__name__}: {error}")
        return
    detail, fix = ("works", "") if availability.available else (availability.reason, availability.fix)
    yield Check(name=f"{name} judge", works=availability.available, needed=needed, detail=detail, fix=fix)
    if availability.available and not quick:
        yield _examined(name, evaluator, needed=needed, progress=progress)


def _examined(name: str, evaluator: Evaluator, *, needed: bool, progress: Progress) -> Check:
    """Run the suite that every evaluator must pass, without the promises that wait for a time limit."""
    from regrapht.testing import evaluator_conformance as suite

    begun, kept, broken = time.monotonic(), 0, dict[str, str]()
    total, outcomes = len(suite.cases()), suite.examine(suite.Examinee(evaluator))
    for number, case in enumerate(suite.cases(), start=1):
        progress(f"{name} judge, {number} of {total}: {case}")
        outcome = next(outcomes)
        if outcome.problem is not None:
            broken[case] = " ".join(outcome.problem.split())
        elif outcome.left_out is None:
            kept += 1
    progress("")
    tried = f"{kept} of {kept + len(broken)} promises kept in {time.monotonic() - begun:.0f} s"
    return Check(
        name=f"{name} judge examined",
        works=not broken,
        needed=needed,
        detail=f"{tried}; not kept: {', '.join(broken)}" if broken else tried,
        fix="do not trust verdicts of this judge, and report these lines" if broken else "",
        findings=tuple(f"{case}: {problem}" for case, problem in broken.items()),
    )
