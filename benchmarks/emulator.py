"""What the emulator costs: a candidate's build, a checked run against a plain one, memory. Prints one JSON line with the raw samples.

python benchmarks/emulator.py [--samples 5] [--calls 4]

Times are processor seconds of the process that runs the kernels, so that other work on the machine disturbs them
little; a run's time is the difference between many calls and one, divided by the calls in between. The kernels are our
own and run without the sandbox. `beside` is HIP-CPU's published design point on the tiled matrix product.
"""

import argparse
import fcntl
import json
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from regrapht.emulate.emulator import EmulatedProgram, Emulator
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Contract, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Command, Completed, Limits
from regrapht.sandbox.wire import CallInput, Exchange

NAIVE = """__global__ void product(int n, const float* a, const float* b, float* c) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
extern "C" void run(int n, const float* a, const float* b, float* c) {
    product<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(n, a, b, c);
}
"""
TILED = """__global__ void product(int n, const float* a, const float* b, float* c) {
    __shared__ float s[16][16], t[16][16];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (int first = 0; first < n; first += 16) {
        s[y][x] = a[row * n + first + x];
        t[y][x] = b[(first + y) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += s[y][k] * t[k][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
extern "C" void run(int n, const float* a, const float* b, float* c) { product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(n, a, b, c); }
"""
SAXPY = """__global__ void saxpy(int n, float alpha, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i] + y[i];
}
extern "C" void run(int n, const float* x, float* y) { saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, x, y); }
"""
BYTES = """__global__ void invert(int n, const unsigned char* x, unsigned char* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 255 - x[i];
}
extern "C" void run(int n, const unsigned char* x, unsigned char* y) { invert<<<(n + 255) / 256, 256>>>(n, x, y); }
"""
MATRICES = (("a", "in", "float32", "n * n"), ("b", "in", "float32", "n * n"), ("c", "out", "float32", "n * n"))
VECTORS = (("x", "in", "float32", "n"), ("y", "inout", "float32", "n"))
IMAGES = (("x", "in", "uint8", "n"), ("y", "out", "uint8", "n"))
CASES = {
    "matmul_naive_256": (NAIVE, MATRICES, 256),
    "matmul_tiled_256": (TILED, MATRICES, 256),
    "saxpy_1m": (SAXPY, VECTORS, 1 << 20),
}
MEMORY_CASES = {"saxpy_16m": (SAXPY, VECTORS, 1 << 24), "bytes_32m": (BYTES, IMAGES, 1 << 25)}
Case = tuple[str, tuple[tuple[str, str, str, str], ...], int]
"""Source, arrays (name, role, element, number of elements), n."""


class Measured:
    """Runs our own kernels as plain child processes and keeps what the kernel accounted for the last one."""

    name = "none"
    labels: tuple[str, ...] = ()
    cpu_s = peak_bytes = 0.0

    def run(self, command: Command, limits: Limits, *, cancel: Event | None = None) -> Completed:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in command.files.items():
                (Path(folder) / name).write_bytes(content if isinstance(content, bytes) else content.read_bytes())
            start = time.perf_counter()
            child = os.fork()
            if child == 0:
                os.chdir(folder)
                raised = {to: fcntl.fcntl(source, fcntl.F_DUPFD, 100) for to, source in command.descriptors.items()}
                for target, source in raised.items():
                    os.dup2(source, target)
                os.execv(command.argv[0], command.argv)
            _, status, usage = os.wait4(child, 0)
            wall_s = time.perf_counter() - start
            self.cpu_s, self.peak_bytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
            files = {
                name: (Path(folder) / name).read_bytes() for name in command.collect if (Path(folder) / name).exists()
            }
            exit_code = os.waitstatus_to_exitcode(status)
            return Completed(
                exit_code=exit_code, signal=None, stopped=None, stdout="", stderr="", files=files, wall_s=wall_s
            )


def task_for(arrays: tuple[tuple[str, str, str, str], ...], n: int) -> Task:
    args = [Arg(name="n", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"])]
    for name, role, dtype, count in arrays:
        shape = (Expression(count),)
        args.append(Arg(name=name, kind=ArgKind.ARRAY, dtype=SCALAR_TYPES[dtype], shape=shape, role=Role(role)))
    return Task(
        id="benchmark",
        title="",
        description="",
        entry="run",
        reference=Reference(source=SourceFile(name="reference.cpp", text="")),
        args=tuple(args),
        check_sizes=({"n": n},),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("n")),
        contract=Contract(),
    )


class Bench:
    def __init__(self) -> None:
        self.measured = Measured()
        self.builder = Emulator(choose_sandbox())
        self.runner = Emulator(self.measured)

    def build(self, source: str, task: Task, *, checked: bool) -> EmulatedProgram:
        program = self.builder.build(source, task, checked=checked)
        if not isinstance(program, EmulatedProgram):
            raise SystemExit(f"not built: {program}")
        return program

    def cpu_s(self, program: EmulatedProgram, task: Task, calls: int) -> float:
        """Processor seconds of a process that makes so many calls; its peak memory is in `measured`."""
        sizes, generator = task.check_sizes[0], np.random.default_rng(1)
        arrays = [arg for arg in task.parameters if arg.kind is ArgKind.ARRAY]
        inputs = {a.name: generator.bytes(a.size_bytes(sizes)) for a in arrays if a.role is not Role.OUT}
        call = CallInput(
            values={"n": np.int32(sizes["n"]).tobytes()},
            arrays=inputs,
            array_bytes={a.name: a.size_bytes(sizes) for a in arrays},
            wanted=frozenset(a.name for a in task.outputs),
        )
        with Exchange(task.parameters, [call] * calls) as exchange:
            limits = Limits(wall_s=300)
            run = self.runner.run(program, exchange, limits=limits, sizes=[sizes] * calls)
            if not exchange.completed or any(finding.severity == "error" for finding in run.findings):
                raise SystemExit(f"did not run: {run}")
        return self.measured.cpu_s

    def time_case(self, case: Case, samples: int, calls: int) -> dict[str, Any]:
        source, arrays, n = case
        task = task_for(arrays, n)
        programs = {checked: self.build(source, task, checked=checked) for checked in (False, True)}
        times: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(samples):  # both in turn: what disturbs the machine disturbs both
            for checked, program in programs.items():
                one, many = self.cpu_s(program, task, 1), self.cpu_s(program, task, calls + 1)
                times[checked].append((many - one) / calls * 1e3)
        plain, checked_ms = statistics.median(times[False]), statistics.median(times[True])
        return {
            "plain_ms": times[False],
            "checked_ms": times[True],
            "plain_median_ms": plain,
            "checked_median_ms": checked_ms,
            "ratio": checked_ms / plain,
        }

    def memory_case(self, case: Case) -> dict[str, float]:
        source, arrays, n = case
        task = task_for(arrays, n)
        self.cpu_s(self.build(source, task, checked=True), task, 1)
        touched = sum(a.size_bytes(task.check_sizes[0]) for a in task.parameters if a.kind is ArgKind.ARRAY)
        peak = self.measured.peak_bytes
        return {
            "touched_bytes": touched,
            "peak_bytes": peak,
            "times_touched": peak / touched,
            "limit_bytes": 20 * touched + 200 * 2**20,
        }

    def build_seconds(self, samples: int) -> list[float]:
        """Wall seconds of checked builds with a warm cache, in the sandbox, each of another text."""
        seconds = []
        for i in range(samples + 1):
            start = time.perf_counter()
            self.build(NAIVE + f"// {i}\n", task_for(MATRICES, 256), checked=True)
            seconds.append(time.perf_counter() - start)
        return seconds[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--calls", type=int, default=4)
    options = parser.parse_args()
    bench = Bench()
    builds = bench.build_seconds(options.samples)
    result = {
        "benchmark": "emulator",
        "machine": platform.processor() or platform.machine(),
        "load": os.getloadavg()[0],
        "build_s": builds,
        "build_median_s": statistics.median(builds),
        "runs": {name: bench.time_case(case, options.samples, options.calls) for name, case in CASES.items()},
        "memory": {name: bench.memory_case(case) for name, case in MEMORY_CASES.items()},
        "beside": {"HIP-CPU, tiled product 256, design point (ms)": 100},
        "targets": {"build_median_s": 0.5, "matmul_naive_256": 20, "saxpy_1m": 10, "memory": "20 x touched + 200 MiB"},
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
