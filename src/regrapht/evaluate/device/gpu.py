"""The GPU of this machine: what it is, what it can do at most, and who may use it now."""

import contextlib
import json
import math
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regrapht import settings
from regrapht.errors import EvaluatorUnavailable, SchemaError
from regrapht.evaluate.build.compile import cached_program, harness_source
from regrapht.evaluate.build.nvcc import Nvcc
from regrapht.evaluate.device.sharing import MACHINE, exclusive, shared
from regrapht.records.encoding import parse_strict
from regrapht.records.task import Sizes, Task
from regrapht.sandbox.sandbox import Command, Limits, Sandbox

_DRIVER_FOLDERS = ("/usr/local/nvidia/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/wsl/lib")
_LIMITS = Limits(wall_s=60, memory_bytes=8 * 2**30, output_bytes=2**16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One device as its runtime describes it."""

    name: str
    architecture: str
    """`sm_90`."""
    uuid: str
    driver: str
    l2_bytes: int
    clock_mhz: float
    memory_clock_mhz: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Peaks:
    """What the device can do at most, measured once a machine."""

    bytes_per_us: float
    """Read and written together, by a plain copy."""
    flops_per_us: float
    """float32, a fused multiply-add counted as two."""


def probe(sandbox: Sandbox, nvcc: Nvcc) -> Gpu:
    """Identify the device and see that it computes.

    Raises:
        EvaluatorUnavailable: There is none, or it does not work; the message has the runtime's word.
    """
    found = _run_probe(sandbox, nvcc, "health")
    return Gpu(
        name=str(found["name"]),
        architecture=f"sm_{found['major']}{found['minor']}",
        uuid=str(found["uuid"]),
        driver=f"{int(found['driver']) // 1000}.{int(found['driver']) % 1000 // 10}",
        l2_bytes=int(found["l2_bytes"]),
        clock_mhz=float(found["clock_mhz"]),
        memory_clock_mhz=float(found["memory_clock_mhz"]),
    )


def peaks(sandbox: Sandbox, nvcc: Nvcc, gpu: Gpu) -> Peaks:
    """The device's peaks, from the cache folder or measured now.

    Raises:
        EvaluatorUnavailable: Measuring failed.
    """
    path = settings.cache() / "peaks" / f"{gpu.uuid}-{gpu.driver}.json"
    with contextlib.suppress(FileNotFoundError, SchemaError, KeyError, TypeError, ValueError):
        plain = parse_strict(path.read_bytes())
        return Peaks(bytes_per_us=float(plain["bytes_per_us"]), flops_per_us=float(plain["flops_per_us"]))
    with exclusive(gpu.uuid):
        found = _run_probe(sandbox, nvcc, "peaks")
    measured = Peaks(bytes_per_us=float(found["bytes_per_us"]), flops_per_us=float(found["flops_per_us"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps({"bytes_per_us": measured.bytes_per_us, "flops_per_us": measured.flops_per_us}))
    temporary.replace(path)
    return measured


def floor_us(task: Task, sizes: Sizes, limits: Peaks) -> float:
    """The speed-of-light time of the task's work at `sizes`: bytes over bandwidth, or float32 operations over their rate."""
    by_bytes = float(task.work.bytes.evaluate(sizes)) / limits.bytes_per_us
    return max(by_bytes, _flops_us(task, sizes, limits), 1e-3)


def impossible_us(task: Task, sizes: Sizes, limits: Peaks, gpu: Gpu) -> float:
    """A time that no honest program stays under. Outputs may lie in the L2 cache when the clock stops: only what cannot fit counts."""
    written = sum(arg.size_bytes(sizes) for arg in task.outputs)
    counted = float(task.work.bytes.evaluate(sizes)) - min(written, gpu.l2_bytes)
    return 0.9 * max(counted / limits.bytes_per_us, _flops_us(task, sizes, limits), 0.0)


def _flops_us(task: Task, sizes: Sizes, limits: Peaks) -> float:
    """Zero where tensor cores or another type's rate would apply: only float32 has a measured peak."""
    floats = {arg.dtype.name for arg in task.parameters if arg.dtype.is_float}
    if task.work.flops is None or task.tolerance.allow or floats != {"float32"}:
        return 0.0
    return float(task.work.flops.evaluate(sizes)) / limits.flops_per_us


def gpu_environment(libraries: Sequence[Path] = (), *, queues: int | None = None) -> dict[str, str]:
    """Variables for programs that use the device: which one, where its driver's library lies, no compiled code kept at home.

    Args:
        libraries: Folders with libraries of the toolkit. Theirs are thousands of kernels, each then loaded when it is first called.
        queues: Into how many of the device's queues streams are put, by default eight. The driver makes them one after another, for one
            process at a time: with a single one a process is ready in half the time.
    """
    drivers = (folder for folder in _DRIVER_FOLDERS if Path(folder, "libcuda.so.1").exists())
    folders = ":".join((*drivers, *map(str, libraries)))
    found = {"LD_LIBRARY_PATH": folders} if folders else {}
    if (visible := settings.visible_gpus()) is not None:
        found["CUDA_VISIBLE_DEVICES"] = visible
    if queues is not None:
        found["CUDA_DEVICE_MAX_CONNECTIONS"] = str(queues)
    return {**found, "CUDA_MODULE_LOADING": "LAZY" if libraries else "EAGER", "CUDA_CACHE_DISABLE": "1"}


_probe_lock = threading.Lock()


def _run_probe(sandbox: Sandbox, nvcc: Nvcc, mode: str) -> dict[str, Any]:
    # PTX of an old architecture: the driver finishes it for whatever device is there.
    code = "-gencode=arch=compute_80,code=compute_80"
    argv = (str(nvcc.path), "-std=c++17", "-O2", code, "-w", "-o", "gpu_probe", "gpu_probe.cu")
    with _probe_lock:
        program = cached_program(
            sandbox, argv, {"gpu_probe.cu": harness_source("gpu_probe.cu")}, output="gpu_probe", read_only=(nvcc.root,)
        )
    command = Command(
        argv=("./gpu_probe", mode), files={"gpu_probe": program}, environment=gpu_environment(queues=1), gpu=True
    )
    with shared(MACHINE):
        done = sandbox.run(command, _LIMITS)
    if not done.ok:
        why = done.stderr.strip() or done.stopped or f"exit status {done.exit_code}, signal {done.signal}"
        raise EvaluatorUnavailable(f"the GPU cannot be used: {why[:300]}")
    try:
        found = parse_strict(done.stdout)
    except SchemaError as error:
        raise EvaluatorUnavailable(f"the GPU probe answered nonsense: {error}") from error
    if not isinstance(found, dict) or not all(math.isfinite(v) for v in found.values() if isinstance(v, float)):
        raise EvaluatorUnavailable("the GPU probe answered nonsense")
    return found
