"""The device and the tools of one machine, found once."""

from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import EvaluatorUnavailable, PrerequisiteMissing
from regrapht.evaluate.build.gpu_program import GpuProgram, build_gpu_program
from regrapht.evaluate.build.libraries import folders
from regrapht.evaluate.build.nvcc import Nvcc, find_nvcc, version
from regrapht.evaluate.device.gpu import Gpu, Peaks, peaks, probe
from regrapht.evaluate.device.harness import Harness, build_harness
from regrapht.evaluate.device.sharing import shared
from regrapht.evaluate.judgement.draft import PROTOCOL
from regrapht.evaluate.judgement.environment import cpu_name, sandbox_version, tool_versions
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
    peaks: Peaks
    environment: Environment

    @property
    def identity(self) -> str:
        """What times on it hang on, besides the program and its data: the judge's rules, the device, the processor, the tools."""
        return f"{PROTOCOL} {self.gpu.uuid} {self.environment.cpu} {sorted(self.environment.tools.items())}"

    def probe(self) -> Gpu:
        """As `gpu.probe`: whether the device still computes."""
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
    return GpuMachine(
        sandbox=sandbox,
        nvcc=nvcc,
        gpu=gpu,
        harness=harness,
        peaks=peaks(sandbox, nvcc, gpu),
        environment=environment,
    )
