"""A candidate as an object on a GPU: built by nvcc in the sandbox, its symbols audited, run by the harness call by call."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from regrapht.evaluate.draft import Rejected
from regrapht.evaluate.feedback import build_errors
from regrapht.evaluate.gpu_device import gpu_environment
from regrapht.evaluate.nvcc import SOURCE_NAME, Nvcc, kernel_resources
from regrapht.evaluate.objects import COMPILE_LIMITS, cached_program, harness_source, wire_header
from regrapht.records.task import ArgKind, Residency, Task
from regrapht.records.verdict import KernelResources, Status
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox
from regrapht.sandbox.wire import DEVICE_ERROR, GUARD_BROKEN, LATE_WRITE, TIMED_OUTPUT_DIFFERS, Exchange

_STUB_LINE = "call stub"
_ALLOWED_LIBRARIES = re.compile(r"lib(c|m|stdc\+\+|gcc_s|dl|pthread|rt|cudart)\.so|ld-linux")
_DEVICE_ERRORS = {
    2: (Status.OUT_OF_MEMORY, "out of device memory"),
    9: (Status.CRASHED, "invalid launch configuration (blocks, threads or shared memory)"),
    98: (Status.CRASHED, "invalid device function"),
    700: (Status.OUT_OF_BOUNDS, "illegal memory access on the device"),
    701: (Status.CRASHED, "too many resources requested for launch"),
    702: (Status.TIMED_OUT, "the launch timed out"),
    710: (Status.CRASHED, "a device-side assertion failed"),
    714: (Status.CRASHED, "hardware stack error"),
    715: (Status.CRASHED, "illegal instruction"),
    716: (Status.MISALIGNED, "misaligned address on the device"),
    717: (Status.BAD_POINTER, "invalid address space"),
    718: (Status.CRASHED, "invalid program counter"),
    719: (Status.CRASHED, "the kernel failed on the device"),
    720: (Status.CRASHED, "cooperative launch too large"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuProgram:
    """A built candidate."""

    library: bytes
    resources: tuple[KernelResources, ...]
    residency: Residency


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingPlan:
    """How long to repeat: at least `least` samples, then until the interval is narrow or `sample_ms` is over."""

    least: int
    warm_ms: int
    sample_ms: int


NO_TIMING = TimingPlan(least=0, warm_ms=0, sample_ms=0)


def build_gpu_program(source: str, task: Task, sandbox: Sandbox, nvcc: Nvcc, *, architecture: str) -> GpuProgram:
    """Compile, link and audit a candidate.

    Raises:
        Rejected: It is not CUDA, lacks the entry, or exports or needs what it must not.
    """
    unit = f'#line 1 "{SOURCE_NAME}"\n{source}\n{call_stub(task)}'
    script = (
        f"{nvcc.path} -std=c++17 -O3 -arch={architecture} -Xptxas=-v -w -lineinfo -shared "
        f"-Xcompiler=-fPIC,-fvisibility=hidden -Xlinker=-z,relro,-z,now,-z,defs,--exclude-libs,ALL -o candidate.so unit.cu "
        f">said 2>&1 || exit 3\nnm -D --defined-only candidate.so >symbols && readelf -d candidate.so >dynamic || exit 4\n"
    )
    command = Command(
        argv=("/bin/sh", "build.sh"),
        files={"unit.cu": unit.encode(), "build.sh": script.encode()},
        collect=("candidate.so", "said", "symbols", "dynamic"),
        read_only=(nvcc.root,),
    )
    done = sandbox.run(command, COMPILE_LIMITS)
    said = done.files.get("said", b"").decode(errors="replace")
    library = done.files.get("candidate.so")
    if done.stopped is not None:
        status = Status.OUT_OF_MEMORY if done.stopped == "memory" else Status.TIMED_OUT
        raise Rejected(status, f"the build was stopped: {done.stopped} limit")
    if not done.ok or library is None:
        raise _build_failure(said or done.stderr, task)
    audit(
        done.files.get("symbols", b"").decode(errors="replace"),
        done.files.get("dynamic", b"").decode(errors="replace"),
        task,
    )
    return GpuProgram(library=library, resources=kernel_resources(said), residency=task.contract.residency)


def call_stub(task: Task) -> str:
    """C++ that hands the harness's argument pointers to the entry with their types: the only symbol that the object exports."""
    types, values = [], []
    for index, parameter in enumerate(task.parameters):
        name = parameter.dtype.c_name
        if parameter.kind is ArgKind.ARRAY:
            types.append(f"{name}*" if parameter.is_output else f"const {name}*")
            values.append(f"({types[-1]})a[{index}]")
        else:
            types.append(name)
            values.append(f"*(const {name}*)a[{index}]")
    return (
        f'#line 1 "{_STUB_LINE}"\n'
        f'extern "C" void {task.entry}({", ".join(types)});\n'
        f'extern "C" __attribute__((visibility("default"))) int regrapht_call(void* const* a) {{\n'
        f"    {task.entry}({', '.join(values)});\n    return (int)cudaGetLastError();\n}}\n"
    )


def audit(symbols: str, dynamic: str, task: Task) -> None:
    """Raise `Rejected` when the object exports anything but its one entry (weak template instances aside) or needs a foreign library."""
    for line in symbols.splitlines():
        fields = line.split()
        if len(fields) < 3 or fields[-1].split("@")[0] == "regrapht_call":
            continue
        kind, name = fields[-2], fields[-1]
        if kind == "i" or (kind not in "WVwvu" and name not in ("_init", "_fini", "_edata", "_end", "__bss_start")):
            raise Rejected(Status.POLICY_REJECTED, f"the candidate exports {name}, which is not its own to define")
    for needed in re.findall(r"\(NEEDED\).*\[(.+?)\]", dynamic):
        library = next((name for name in task.contract.allow_libraries if name in needed), None)
        if library is None and not _ALLOWED_LIBRARIES.match(needed):
            raise Rejected(Status.POLICY_REJECTED, f"the candidate needs {needed}, which this task does not allow")


def harness(sandbox: Sandbox, nvcc: Nvcc, *, architecture: str) -> bytes:
    """The program that runs candidates on GPUs of one architecture, built once."""
    code = f"-arch={architecture}"
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
    sources = {name: harness_source(name) for name in ("gpu_harness.cu", "gpu_arrays.cuh")} | {"wire.h": wire_header()}
    return cached_program(sandbox, argv, sources, output="harness", read_only=(nvcc.root,))


def harness_command(program: GpuProgram, harness_program: bytes, exchange: Exchange, plan: TimingPlan) -> Command:
    """The command that runs `program` on the calls of `exchange`."""
    return Command(
        argv=(
            "./harness",
            "./candidate.so",
            program.residency.value,
            str(plan.least),
            str(plan.warm_ms),
            str(plan.sample_ms),
        ),
        files={"harness": harness_program, "candidate.so": program.library},
        descriptors=exchange.descriptors,
        environment=gpu_environment(),
        gpu=True,
    )


def require_clean_calls(task: Task, exchange: Exchange, calls: int, completed: Completed) -> None:
    """Raise `Rejected` for what the harness noticed besides outputs: device errors, broken guard bands, late writes."""
    for index in range(calls):
        output = exchange.output(index)
        if output.flags & DEVICE_ERROR:
            fallback = (Status.CRASHED, f"CUDA error {output.error_code}")
            status, what = _DEVICE_ERRORS.get(output.error_code, fallback)
            raise Rejected(status, f"{what} (CUDA error {output.error_code})", output=completed.stderr[-2000:])
        if output.flags & GUARD_BROKEN:
            names = [arg.name for arg in task.parameters]
            name = names[output.parameter] if output.parameter < len(names) else "an array"
            raise Rejected(
                Status.OUT_OF_BOUNDS,
                f"bytes beside {name} were changed",
                feedback=f"The program writes outside {name}: check the index against the array's length.",
            )
        if output.flags & LATE_WRITE:
            raise Rejected(
                Status.LATE_WRITE,
                "an output changed after the default stream had finished",
                feedback="Some work was still running when the function had returned and the default stream was done. Join every stream "
                "and thread before returning, or enqueue everything on the default stream.",
            )


def timed_output_differs(exchange: Exchange, calls: Sequence[int]) -> bool:
    """Whether repetitions on the same inputs gave different bytes."""
    return any(exchange.output(call).flags & TIMED_OUTPUT_DIFFERS for call in calls)


def run_limits(seconds: float) -> Limits:
    """Limits of one run on the GPU. Memory counts host pages only."""
    return Limits(wall_s=seconds, memory_bytes=16 * 2**30, output_bytes=2**18)


def _build_failure(said: str, task: Task) -> Rejected:
    errors = "\n".join(line for line in said.splitlines() if not re.match(r"ptxas info|\s+\d+ bytes stack frame", line))
    if "undefined reference" in errors and task.entry in errors:
        reason = f"the candidate does not define the entry: {task.signature}"
    elif _STUB_LINE in errors:
        reason = f"the entry must be declared exactly as: {task.signature}"
    else:
        reason = next((line for line in errors.splitlines() if "error" in line), "the build failed")
    return Rejected(Status.BUILD_FAILED, reason, feedback=build_errors(f"{reason}\n{errors}"), output=errors)
