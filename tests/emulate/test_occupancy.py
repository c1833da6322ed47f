"""Launches that a GPU refuses are findings: for want of registers where a compiler said them, and for what the runtime itself checks."""

import pytest

from regrapht.emulate.emulator import EmulatedProgram
from regrapht.emulate.occupancy import launches_without_registers, occupancy, registers_of_block
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


BOUNDED = """// arrays: out out float32 N
// N: 256
#define LIMIT 64
constexpr int doubled(int n) { return 2 * n; }
DECLARED
extern "C" void run(int n, float* out) {
    CALL
}
"""
FILL = "k(float* out, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 1.0f; }"
BOUNDS = {
    "macro": (f"__global__ void __launch_bounds__(LIMIT) {FILL}", "k<<<1, 96>>>(out, n);", 64),
    "expression": (
        f"__global__ __launch_bounds__(doubled(\n  LIMIT), /* , */ 2) void {FILL}",
        "k<<<1, dim3(8, 8, 3)>>>(out, n);",
        128,
    ),
    "declaration": (
        f"__global__ void __launch_bounds__(LIMIT) k(float* out, int n);\n__global__ void {FILL}",
        "k<<<1, 96>>>(out, n);",
        64,
    ),
    "by_call": (
        f"namespace a {{ static __global__ void __launch_bounds__(LIMIT) {FILL} }} using a::k;",
        "void* p[] = {&out, &n}; cudaLaunchKernel(k, dim3(1), dim3(96), p, 0, 0);",
        64,
    ),
    "cooperative": (
        f"template <class T> __global__ void __launch_bounds__(32 * sizeof(T)) {FILL}",
        "void* p[] = {&out, &n}; cudaLaunchCooperativeKernel((void*)k<short>, dim3(9), dim3(96), p);",
        64,
    ),
    "deduced": (
        "template <class... T> __global__ void __launch_bounds__(32 * sizeof...(T)) "
        "k(T... values) { ((void)values, ...); }",
        "k<<<1, 96>>>(out, n);",
        64,
    ),
}


def findings_of_bounded(bench, declared, call):
    source = BOUNDED.replace("DECLARED", declared).replace("CALL", call)
    program = bench.build(source, checked=True)
    assert isinstance(program, EmulatedProgram), program
    outcome = bench.run(source, program)
    line = source[: source.index(call)].count("\n") + 1
    return {finding.kind: finding for finding in outcome.run.findings}, outcome, line


@pytest.mark.parametrize(
    "name", [n if n in ("expression", "cooperative") else pytest.param(n, marks=pytest.mark.slow) for n in BOUNDS]
)
def test_a_launch_beyond_the_kernels_bounds(bench, name):
    declared, call, most = BOUNDS[name]
    found, outcome, line = findings_of_bounded(bench, declared, call)
    threads = 192 if "dim3(8" in call else 96
    finding = found["launch_bounds_exceeded"]
    assert finding.status is Status.CRASHED and finding.severity is Severity.ERROR
    assert finding.line == line and "__launch_bounds__" in finding.hint
    assert f"k with {threads} threads a block, its __launch_bounds__ allow {most}" in finding.message
    assert outcome.run.evidence == (None,) and outcome.calls[0].error_code == 701
    assert not any(outcome.outputs[0]["out"] == 1)


WITHIN = {
    "as many": (f"__global__ void __launch_bounds__(LIMIT) {FILL}", "k<<<1, 64>>>(out, n);"),
    "none": (
        f"template <int N> __global__ void __launch_bounds__(N) {FILL}",
        "k<0><<<1, 96>>>(out, n);",
    ),
    "a parameter of that name": (
        f"const int n = 1024;\n__global__ void __launch_bounds__(n) {FILL}",
        "k<<<1, 512>>>(out, n);",
    ),
    "suggested": (
        f"__global__ void __launch_bounds__(LIMIT) {FILL}",
        "int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, k); k<<<1, b>>>(out, n);",
    ),
}


@pytest.mark.parametrize("name", [n if n == "as many" else pytest.param(n, marks=pytest.mark.slow) for n in WITHIN])
def test_a_launch_within_the_kernels_bounds(bench, name):
    found, outcome, _ = findings_of_bounded(bench, *WITHIN[name])
    assert not found and all(outcome.outputs[0]["out"] == 1), outcome.run
    (evidence,) = outcome.run.evidence
    assert evidence.launches == 1


def test_a_program_may_take_note_of_the_bounds(bench):
    declared = f"template <int N> __global__ void __launch_bounds__(N) {FILL}"
    call = "k<128><<<1, 256>>>(out, n); if (cudaGetLastError() == cudaErrorLaunchOutOfResources) k<256><<<1, 256>>>(out, n);"
    found, outcome, line = findings_of_bounded(bench, declared, call)
    assert set(found) == {"launch_refused_handled"} and found["launch_refused_handled"].line == line
    assert all(outcome.outputs[0]["out"] == 1)
    (evidence,) = outcome.run.evidence
    (kernel,) = evidence.kernels
    assert (evidence.launches, kernel.threads, kernel.traced_blocks) == (1, 256, 1)


def test_bounds_cost_nothing(bench):
    call = "k<<<1, 64>>>(out, n);"
    with_bounds, without = (
        findings_of_bounded(bench, f"__global__ void {bounds} {FILL}", call)[1].run.evidence[0]
        for bounds in ("__launch_bounds__(64, 1)", "")
    )
    assert with_bounds == without
