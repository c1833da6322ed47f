"""What this machine can do, found by trying it: compilers, sandbox, emulator, GPU, sanitizer, store, and the judge on a known case."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from regrapht import settings
from regrapht.errors import RegraphtError
from regrapht.evaluate import EVALUATORS
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose
from regrapht.sandbox.sandbox import Command, Limits, Sandbox
from regrapht.source.program_hash import program_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was tried."""

    name: str
    works: bool
    needed: bool
    """Whether regrapht can do its main job without it."""
    detail: str
    fix: str = ""


def examine(*, quick: bool = False, allow_root: bool = False) -> Iterator[Check]:
    """Try everything in turn; each check is given as soon as it is known. `quick` leaves out the judge's own examination."""
    yield Check(name="python", works=sys.version_info >= (3, 11), needed=True, detail=platform.python_version())
    yield _program(
        "C++ compiler",
        settings.cxx(),
        needed=True,
        fix="install g++ 12 or newer (Debian, Ubuntu: apt install g++), or set CXX",
    )
    yield _program(
        "nvcc", settings.nvcc() or "nvcc", needed=False, fix='install the CUDA toolkit, or pip install "regrapht[cuda]"'
    )
    yield _program(
        "GPU driver",
        "nvidia-smi",
        needed=False,
        fix="no NVIDIA driver here: kernels are verified on the emulator, not timed",
    )
    yield _program("compute-sanitizer", "compute-sanitizer", needed=False, fix="it is part of the CUDA toolkit")
    yield _program("Nsight Compute", "ncu", needed=False, fix="it is part of the CUDA toolkit")
    try:
        choice = choose(allow_root=allow_root)
    except RegraphtError as error:
        yield Check(
            name="sandbox",
            works=False,
            needed=True,
            detail=str(error),
            fix="run as an ordinary user, or install bubblewrap",
        )
        return
    strong = not choice.reason
    yield Check(
        name="sandbox",
        works=strong,
        needed=False,
        detail="bubblewrap" if strong else f"weak ({', '.join(choice.sandbox.labels)}): {choice.reason}",
        fix="apt install bubblewrap; on Ubuntu 23.10 and newer allow it unprivileged user namespaces",
    )
    yield from _enforced(choice.sandbox)
    yield _writable("store", settings.home(), "set REGRAPHT_HOME to a folder that you may write")
    yield _writable("cache", settings.cache(), "set REGRAPHT_CACHE to a folder that you may write")
    for name in ("emulated", "local_gpu"):
        availability = EVALUATORS.load(name)(choice.sandbox).availability()
        detail = "works" if availability.available else availability.reason
        yield Check(
            name=f"{name} judge",
            works=availability.available,
            needed=name == "emulated",
            detail=detail,
            fix=availability.fix,
        )
        if availability.available and not quick:
            yield _guarded(f"{name} judge examined", partial(_examine_judge, name, choice.sandbox))


def _program(name: str, program: str, *, needed: bool, fix: str) -> Check:
    path = shutil.which(program)
    if path is None:
        return Check(name=name, works=False, needed=needed, detail=f"{program} is not on the path", fix=fix)
    done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False)
    lines = [line for line in done.stdout.splitlines() if any(c.isdigit() for c in line)] or [
        f"exit code {done.returncode}"
    ]
    return Check(name=name, works=done.returncode == 0, needed=needed, detail=f"{path}: {lines[0].strip()}", fix=fix)


def _enforced(sandbox: Sandbox) -> Iterator[Check]:
    """What the sandbox in use really enforces: each row asks from inside, with access(2) and connects, never by writing."""
    limits = Limits(wall_s=5, memory_bytes=2**28)
    rows = {
        "hides the home folder": f"test ! -e {Path.home()}",
        "hides other processes": f"test ! -e /proc/{os.getpid()}/cmdline",
        "has no network": "test $(ls /sys/class/net 2>/dev/null | grep -vc '^lo$') -eq 0",
        "is not root over the host": "test ! -w /proc/sys/kernel/core_pattern",
    }
    for name, script in rows.items():
        held = sandbox.run(Command(argv=("sh", "-c", script)), limits).ok
        yield Check(
            name=f"sandbox {name}", works=held, needed=False, detail="yes" if held else "no", fix="install bubblewrap"
        )
    done = sandbox.run(Command(argv=("sh", "-c", "while :; do :; done")), Limits(wall_s=0.3))
    yield Check(
        name="sandbox ends what never ends",
        works=done.stopped == "timeout",
        needed=True,
        detail=f"after {done.wall_s:.2f} s",
    )


def _writable(name: str, folder: Path, fix: str) -> Check:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return Check(name=name, works=False, needed=True, detail=f"{folder}: {error.strerror}", fix=fix)
    return Check(name=name, works=True, needed=True, detail=str(folder))


def _guarded(name: str, examine_one: Callable[[], Check]) -> Check:
    """A check whose own failure is a finding, not the end of the examination."""
    try:
        return examine_one()
    except RegraphtError as error:
        return Check(name=name, works=False, needed=False, detail=str(error))


_TASK = """
schema = 1
id = "doctor_scale"
title = "Scale a vector"
description = "y = 2 x"
entry = "scale"
[reference]
file = "reference.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "in"
init = { kind = "normal" }
[[args]]
name = "y"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "out"
[sizes]
check = [ { n = 1 }, { n = 1000 } ]
bench = [ { n = 1000 } ]
"""
_REFERENCE = "void scale(int n, const float* x, float* y) { for (int i = 0; i < n; i++) y[i] = 2.0f * x[i]; }\n"
_KERNEL = """extern "C" void scale(int n, const float* x, float* y);
__global__ void kernel(int n, const float* x, float* y) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if ({guard}) y[i] = {value}; }}
extern "C" void scale(int n, const float* x, float* y) {{ kernel<<<n / 256 + 1, 256>>>(n, x, y); }}
"""
_KNOWN = {
    "a right kernel": ("i < n", "2.0f * x[i]", {Status.PASSED}),
    "a wrong one": ("i < n", "2.5f * x[i]", {Status.WRONG_VALUE}),
    "one that leaves out an element": ("i < n - 1", "2.0f * x[i]", {Status.UNWRITTEN}),
    "one that writes past the end": ("i <= n", "2.0f * x[i < n ? i : 0]", {Status.OUT_OF_BOUNDS}),
}


def _examine_judge(name: str, sandbox: Sandbox) -> Check:
    """Judge four kernels whose verdicts are known."""
    from regrapht.tasks.load import load_task

    evaluator = EVALUATORS.load(name)(sandbox)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "task.toml").write_text(_TASK)
        Path(folder, "reference.cpp").write_text(_REFERENCE)
        task = load_task(Path(folder))
    evaluator.prepare(task, None)
    wrong = []
    for what, (guard, value, expected) in _KNOWN.items():
        source = _KERNEL.format(guard=guard, value=value)
        candidate = Candidate(
            source=source, program_hash=program_hash(source), origin=Origin(proposer="doctor", seconds=0.0)
        )
        verdict = evaluator.evaluate(task, candidate, level=Level.SCREEN)
        if verdict.status not in expected:
            wrong.append(f"{what} is {verdict.status.value} ({verdict.reason})")
    detail = "; ".join(wrong) or f"{len(_KNOWN)} known kernels judged as they should be"
    return Check(name=f"{name} judge examined", works=not wrong, needed=name == "emulated", detail=detail)
