"""Launches that a GPU refuses are findings: for want of registers where a compiler said them, and for what the runtime itself checks."""

import pytest

from regrapht.emulate.emulator import EmulatedProgram
from regrapht.emulate.launch_registers import launches_without_registers
from regrapht.emulate.occupancy import occupancy, registers_of_block
from regrapht.records.verdict import Evidence, KernelEvidence, KernelResources, Severity, Status


def launched(name, block):
    none = dict.fromkeys(
        ("shared_bytes", "traced_blocks", "instructions", "flops", "global_requests", "global_sectors",
         "ideal_global_sectors", "shared_requests", "shared_passes", "ideal_shared_passes", "barriers"), 0
    )  # fmt: skip
    kernel = KernelEvidence(name=name, grid=(4, 1, 1), block=block, launches=1, threads=4, active_lanes=None, **none)
    sums = dict.fromkeys(
        ("threads", "instructions", "flops", "global_sectors", "ideal_global_sectors", "shared_passes",
         "ideal_shared_passes", "barriers"), 0
    )  # fmt: skip
    return Evidence(sizes={}, launches=1, divergence=None, modelled_cost=1.0, sites=(), kernels=(kernel,), **sums)


def uses(name, registers):
    return KernelResources(name=name, registers_per_thread=registers, static_shared_bytes=0, spill_bytes=0)


@pytest.mark.parametrize(
    ("block", "registers", "refused"),
    [
        ((1024, 1, 1), 64, False),
        ((1024, 1, 1), 65, True),  # given in units of 256 a warp
        ((32, 32, 1), 66, True),
        ((256, 1, 1), 255, False),
        ((288, 1, 1), 255, True),  # nine warps count as twelve: a launch is checked by partitions
        ((800, 1, 1), 72, False),
        ((800, 1, 1), 80, True),
    ],
)
def test_registers_times_threads(block, registers, refused):
    found = launches_without_registers([launched("k", block), None], [uses("other", 255), uses("k", registers)])
    assert bool(found) is refused
    assert (occupancy(block[0] * block[1], shared_bytes=0, registers=registers).warps == 0) is refused
    if refused:
        (finding,) = found
        assert finding.status is Status.CRASHED and finding.severity is Severity.ERROR and finding.kernel == "k"
        threads = block[0] * block[1]
        needed = registers_of_block(threads, registers)
        for word in (
            "too many resources requested for launch",
            f"{threads} threads",
            f"{registers} reg",
            f"{needed:,}",
        ):
            assert word in finding.message
        assert "__launch_bounds__" in finding.hint


def test_of_a_template_the_launched_instance_is_unknown():
    found = launches_without_registers([launched("k", (1024, 1, 1))], [uses("k", 40), uses("k", 90)])
    assert [finding.severity for finding in found] == [Severity.WARNING]
    found = launches_without_registers([launched("k", (1024, 1, 1))], [uses("k", 80), uses("k", 90)])
    assert [finding.severity for finding in found] == [Severity.ERROR] and "80 registers" in found[0].message


def test_nothing_is_said_where_nothing_is_known():
    assert launches_without_registers([launched("k", (1024, 1, 1))], []) == ()
    assert launches_without_registers([launched("k", (1024, 1, 1))], [uses("k", None)]) == ()


SOURCE = """// arrays: out out float32 N
// N: 1024
__global__ void fill(float* out, int n) {
    SHARED
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 1.0f;
}
extern "C" void run(int n, float* out) {
    LAUNCH
}
"""
STATIC = "__shared__ float tile[10240]; extern __shared__ float more[]; tile[threadIdx.x] = more[0] = 0;"
ALLOW = "cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536); "
REFUSED = {
    "threads": ("", "fill<<<1, 1056>>>(out, n); fill<<<1, 32>>>(out, n);", "fill with 1056 threads"),
    "depth": ("", "fill<<<1, dim3(1, 1, 128)>>>(out, n);", "at most 64 of them in z"),
    "grid": ("", "fill<<<dim3(1, 65536), 32>>>(out, n);", "1 x 65536 x 1 blocks"),
    "dynamic": ("", "fill<<<1, 32, 50000>>>(out, n);", "50000 bytes of dynamic shared memory, 49152"),
    "beyond_allowance": ("", f"{ALLOW}fill<<<1, 32, 70000>>>(out, n);", "70000 bytes of dynamic shared memory, 65536"),
    "together": (STATIC, "fill<<<1, 32, 16384>>>(out, n);", "40960 bytes of static and 16384 of dynamic"),
    "cooperative": (
        "",
        "void* a[] = {&out, &n}; cudaLaunchCooperativeKernel((void*)fill, dim3(100000), dim3(256), a);",
        "100000 blocks, ",
    ),
}


def findings_of(bench, shared, launch):
    source = SOURCE.replace("SHARED", shared).replace("LAUNCH", launch)
    program = bench.build(source, checked=True)
    assert isinstance(program, EmulatedProgram), program
    return {finding.kind: finding for finding in bench.run(source, program).run.findings}


SLOW = ("depth", "grid", "beyond_allowance", "cooperative")


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in REFUSED])
def test_a_launch_that_cuda_refuses_is_a_finding(bench, name):
    shared, launch, words = REFUSED[name]
    finding = findings_of(bench, shared, launch)["launch_refused"]
    assert finding.status is Status.CRASHED and finding.severity is Severity.ERROR
    assert words in finding.message and finding.kernel == "fill", finding


@pytest.mark.parametrize(
    ("shared", "launch"),
    [
        ("", f"{ALLOW}fill<<<1, 1024, 65536>>>(out, n);"),
        (STATIC, f"{ALLOW}fill<<<1, 1024, 16384>>>(out, n);"),
        (STATIC, "fill<<<1, 1024, 8192>>>(out, n);"),
    ],
)
def test_what_fits_is_none(bench, shared, launch):
    kinds = set(findings_of(bench, shared.replace("[threadIdx.x] = more[0]", "[threadIdx.x]"), launch))
    assert not kinds & {"launch_refused", "launch_refused_handled"}


def test_a_program_may_try_and_launch_otherwise(bench):
    launch = "fill<<<1, 2048>>>(out, n); if (cudaGetLastError() != cudaSuccess) fill<<<1, 1024>>>(out, n);"
    found = findings_of(bench, "", launch)
    assert "launch_refused" not in found and found["launch_refused_handled"].severity is Severity.WARNING
