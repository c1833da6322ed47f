"""A GPU machine without a GPU: the judge's own harness, and candidates for it, built against the emulator's runtime.

All of the GPU judge's processes, orders, clocks and comparisons are then tried on any machine. What only a device has is not: nvcc, memory
checkers, the speed of anything.
"""

import hashlib
import io
import tarfile
from dataclasses import dataclass
from pathlib import Path

import regrapht.evaluate
import regrapht.sandbox
from regrapht import settings
from regrapht.emulate import toolchain
from regrapht.emulate.build import UNIT_NAME, WIDE_INTEGERS, BuildRefused, build_script, entry_says
from regrapht.emulate.program import build_whole
from regrapht.emulate.rewrite import rewrite
from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.build.gpu_program import GpuProgram, call_stub
from regrapht.evaluate.build.nvcc import Nvcc
from regrapht.evaluate.device.gpu import Gpu, Peaks
from regrapht.evaluate.device.harness import Harness
from regrapht.evaluate.device.machine import GpuMachine
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.measurement import Environment
from regrapht.records.task import Task
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Command, Limits, Sandbox

HARNESS = Path(regrapht.evaluate.__file__).parent / "harness" / "gpu_harness.cu"
WIRE = Path(regrapht.sandbox.__file__).parent
OPTIONS = (
    "--schedule=forward --seed=1 --report=report --warn-after-ms=600000 --heap-bytes=4294967296 --constants= --main --"
)
_STUB_PLACE = "call stub"
_HANDLE = 'extern "C" void* __dso_handle __attribute__((visibility("hidden"))) = &__dso_handle;'
START = f"""#!/bin/sh
sed '1,/^__PAYLOAD__$/d' "$0" | tar x || exit 99
exec ./emulator ./program.so {OPTIONS} "$@"
__PAYLOAD__
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmulatedGpuMachine(GpuMachine):
    """A machine whose device always works, and whose compiler is the emulator's."""

    @property
    def identity(self) -> str:
        """As `GpuMachine.identity`; the same on every machine."""
        return "emulated device"

    def probe(self) -> Gpu:
        """The device as it is."""
        return self.gpu

    def build(self, source: str, task: Task) -> GpuProgram:
        """As `GpuMachine.build`, without what only nvcc and its linker say.

        Raises:
            Rejected: It does not build.
        """
        tools = toolchain.prepare(settings.cache() / "emulate", checked=False)
        text = rewrite(source).text
        for wide in WIDE_INTEGERS:
            unit = f'#include "{toolchain.UMBRELLA}"\n{text}\n{_HANDLE}\n{call_stub(task, wide, entry_says(source, task.entry))}'
            command = Command(
                argv=("/bin/sh", "build.sh"),
                files={UNIT_NAME: unit.encode(), "build.sh": build_script(tools).encode()},
                collect=("candidate.so", "errors"),
                read_only=(tools.folder,),
            )
            done = self.sandbox.run(command, Limits(wall_s=60))
            errors = done.files.get("errors", b"").decode(errors="replace")
            if done.ok or _STUB_PLACE not in errors or "long long" not in task.signature:
                break
        if not done.ok:
            raise Rejected(Status.BUILD_FAILED, errors[:500])
        return GpuProgram(
            library=done.files["candidate.so"],
            resources=(),
            residency=task.contract.residency,
            source_hash=hashlib.sha256(source.encode()).hexdigest(),
        )


class _NoToolkit(Nvcc):
    """No compiler. What tools there are beside one, on this machine, know no emulated device."""

    @property
    def sanitizer(self) -> None:
        return None


def emulated_machine(sandbox: Sandbox) -> EmulatedGpuMachine:
    """The machine; building its harness takes some seconds."""
    source = HARNESS.read_text()
    waiting = "20'000 + random_() % 200'000"
    assert waiting in source
    source = source.replace(waiting, "1")  # emulated threads would spin for minutes
    program = build_whole(source, HARNESS, sandbox=sandbox, checked=False, include=(HARNESS.parent, WIRE))
    if isinstance(program, BuildRefused):
        raise EvaluatorUnavailable(f"the harness does not build for the emulated device: {program.message}")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in (("emulator", program.tools.harness.read_bytes()), ("program.so", program.library)):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755
            archive.addfile(entry, io.BytesIO(content))
    harness = Harness(code=START.encode() + packed.getvalue(), name="judge_emulated")
    gpu = Gpu(
        name="Emulated",
        architecture="sm_90",
        uuid="e" * 32,
        driver="0",
        l2_bytes=2**20,
        clock_mhz=1000.0,
        memory_clock_mhz=1000.0,
    )
    environment = Environment(
        device="Emulated (sm_90)", architecture="sm_90", cpu="any", tools={"nvcc": "none"}, clocks={}
    )
    nvcc = _NoToolkit(path=Path("/nonexistent/bin/nvcc"), root=Path("/nonexistent"))
    return EmulatedGpuMachine(
        sandbox=sandbox,
        nvcc=nvcc,
        gpu=gpu,
        harness=harness,
        peaks=Peaks(bytes_per_us=1e9, flops_per_us=1e9),
        environment=environment,
    )
