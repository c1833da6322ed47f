"""The harness: the program that runs candidates on one device, how it is built and with what commands it is started."""

from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.evaluate.build.compile import cached_program, harness_source, wire_header
from regrapht.evaluate.build.nvcc import Nvcc
from regrapht.evaluate.device.gpu import Gpu, gpu_environment
from regrapht.evaluate.device.other_processes import harness_name
from regrapht.records.task import Residency
from regrapht.sandbox.sandbox import Command, Limits, Sandbox
from regrapht.sandbox.wire import Exchange

_HARNESS_SOURCES = ("gpu_harness.cu", "gpu_timer.cuh", "gpu_arguments.cuh", "gpu_arrays.cuh")


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """The program that runs candidates on one device."""

    code: bytes
    name: str
    """What its processes are called."""


def build_harness(sandbox: Sandbox, nvcc: Nvcc, gpu: Gpu) -> Harness:
    """The harness for one device, built once for its architecture."""
    code = f"-arch={gpu.architecture}"
    argv = (
        str(nvcc.path),
        "-std=c++17",
        "-O2",
        code,
        "-Xlinker=-z,relro,-z,now",
        "-w",
        "-o",
        "harness",
        "gpu_harness.cu",
        "-ldl",
    )
    sources = {name: harness_source(name) for name in _HARNESS_SOURCES} | {"wire.h": wire_header()}
    program = cached_program(sandbox, argv, sources, output="harness", read_only=(nvcc.root,))
    return Harness(code=program, name=harness_name(gpu.uuid))


def check_command(
    harness: Harness,
    residency: Residency,
    exchange: Exchange,
    *,
    repeats: int = 1,
    library_folders: tuple[Path, ...] = (),
) -> Command:
    """The command that makes each call of `exchange` `repeats` times, from the second on beside other work and in another order.

    Calls that are made once have the device's streams in one queue, which is sooner there; those beside other work have all of them.
    """
    mode = ("check", str(repeats))
    return _command(harness, residency, exchange, mode, library_folders, queues=1 if repeats == 1 else None)


def time_command(
    harness: Harness,
    residency: Residency,
    exchange: Exchange,
    *,
    checks: Exchange | None = None,
    library_folders: tuple[Path, ...] = (),
    queues: int | None = None,
) -> Command:
    """The command that loads the calls of `exchange` and waits to be told what to repeat.

    Args:
        checks: Calls that it makes once, before, when it is told to.
        queues: As `gpu_environment`'s.
    """
    mode, further = (("time",), {}) if checks is None else (("time", "checks"), checks.descriptors_of_checks)
    command = _command(harness, residency, exchange, mode, library_folders, queues=queues)
    return replace(command, descriptors={**command.descriptors, **further})


def _command(
    harness: Harness,
    residency: Residency,
    exchange: Exchange,
    mode: tuple[str, ...],
    library_folders: tuple[Path, ...],
    *,
    queues: int | None = None,
) -> Command:
    return Command(
        argv=(f"./{harness.name}", residency.value, *mode),
        files={harness.name: harness.code},
        descriptors=exchange.descriptors,
        environment=gpu_environment(library_folders, queues=queues),
        read_only=library_folders,
        gpu=True,
    )


def run_limits(seconds: float) -> Limits:
    """Limits of one run on the GPU. Memory counts host pages only."""
    return Limits(wall_s=seconds, memory_bytes=16 * 2**30, output_bytes=2**18)
