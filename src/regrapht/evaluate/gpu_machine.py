"""The device and the tools of one machine, found once."""

from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import EvaluatorUnavailable, PrerequisiteMissing
from regrapht.evaluate.draft import PROTOCOL
from regrapht.evaluate.gpu_device import Gpu, peaks, probe
from regrapht.evaluate.gpu_program import GpuProgram, Harness, build_gpu_program, build_harness
from regrapht.evaluate.gpu_timing import GpuTimer
from regrapht.evaluate.lease import shared
from regrapht.evaluate.libraries import folders
from regrapht.evaluate.machine import cpu_name, sandbox_version, tool_versions
from regrapht.evaluate.nvcc import Nvcc, find_nvcc, version
from regrapht.records.measurement import Environment
from regrapht.records.task import Task
from regrapht.sandbox.sandbox import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuMachine:
    """What judging on a GPU needs besides the task."""

    sandbox: Sandbox
    nvcc: Nvcc
    gpu: Gpu
    harness: Harness
    timer: GpuTimer
    environment: Environment

    def probe(self) -> Gpu:
        """As `gpu_device.probe`: whether the device still computes."""
        with shared(self.gpu.uuid):
            return probe(self.sandbox, self.nvcc)

    def build(self, source: str, task: Task) -> GpuProgram:
        """As `build_gpu_program`, for this device."""
        return build_gpu_program(source, task, self.sandbox, self.nvcc, architecture=self.gpu.architecture)

    def library_folders(self, task: Task) -> tuple[Path, ...]:
        """Where candidates for `task` may have to load libraries from."""
        return folders(task, self.nvcc)


def find_gpu_machine(sandbox: Sandbox) -> GpuMachine:
    """Probe the device, build the harness, measure or load the peaks.

    Raises:
        EvaluatorUnavailable: There is no compiler or no device, or it does not work.
    """
    try:
        nvcc = find_nvcc()
    except PrerequisiteMissing as error:
        raise EvaluatorUnavailable(str(error)) from error
    if nvcc is None:
        raise EvaluatorUnavailable("no CUDA compiler: pip install 'regrapht[cuda]', or set REGRAPHT_NVCC")
    gpu = probe(sandbox, nvcc)
    harness = build_harness(sandbox, nvcc, gpu)
    environment = Environment(
        device=f"{gpu.name} ({gpu.architecture})",
        architecture=gpu.architecture,
        cpu=cpu_name(),
        tools={**tool_versions(), **sandbox_version(sandbox), "nvcc": version(sandbox, nvcc), "driver": gpu.driver},
        clocks={"sm": gpu.clock_mhz, "memory": gpu.memory_clock_mhz},
    )
    machine = f"{PROTOCOL} {gpu.uuid} {environment.cpu} {sorted(environment.tools.items())}"
    timer = GpuTimer(sandbox, harness, gpu, peaks(sandbox, nvcc, gpu), machine=machine)
    return GpuMachine(sandbox=sandbox, nvcc=nvcc, gpu=gpu, harness=harness, timer=timer, environment=environment)
