"""What single planted programs do not show: counts that must not wrap, scratch that outlives a call, host work of allowed size."""

import re

import pytest

from regrapht.emulate.emulator import EmulatedProgram, Schedule
from regrapht.records.verdict import Severity, Status
from regrapht.sandbox.sandbox import Limits

HEAD = "// arrays: x in float32 N; out out float32 N\n// N: {n}\n"
MANY = (
    HEAD.format(n=64)
    + """__global__ void rotate(const float* x, float* out, int rounds) {
    __shared__ float ring[64];
    const int i = threadIdx.x;
    ring[i] = x[i];
    for (int k = 0; k < rounds; k++) {
        __syncthreads();
        const float next = ring[(i + 1) % 64];
        __syncthreads();
        ring[i] = next;
    }
    out[i] = ring[i];
}
__global__ void step(float* out, int k) {
    if (threadIdx.x == k % 64) out[threadIdx.x] = out[(threadIdx.x + 1) % 64];
}
extern "C" void run(int n, const float* x, float* out) {
    rotate<<<1, n>>>(x, out, 2500);
    for (int k = 0; k < 2500; k++) step<<<1, n>>>(out, k);
    rotate<<<1, n>>>(x, out, 1);
}
"""
)


def run(bench, source, **options):
    program = bench.build(source, checked=True)
    assert isinstance(program, EmulatedProgram), program
    return bench.run(source, program, limits=Limits(wall_s=60), **options)


@pytest.mark.parametrize("schedule", [Schedule.FORWARD, Schedule.RANDOM])
def test_no_false_race_after_2500_launches_and_barriers(bench, schedule):
    outcome = run(bench, MANY, schedule=schedule, seed=3)
    assert outcome.completed and outcome.run.findings == ()


def test_a_race_after_2500_launches_is_found(bench):
    last = "    rotate<<<1, n>>>(x, out, 1);"
    source = MANY.replace(last, "    step<<<2, n>>>(out, 3);").replace(
        "(threadIdx.x == k % 64)", "(threadIdx.x % 2 == 0 || k == 3)"
    )
    outcome = run(bench, source)
    assert {f.status for f in outcome.run.findings if f.severity is Severity.ERROR} == {Status.RACE}


def test_a_barrier_removed_after_2500_barriers_is_found(bench):
    source = re.sub(r"__syncthreads\(\);\n        const", "if (k < 2499) __syncthreads();\n        const", MANY)
    outcome = run(bench, source)
    kinds = {f.kind for f in outcome.run.findings}
    assert kinds and kinds <= {"race_shared_wr", "race_shared_rw"}


def test_scratch_kept_from_call_to_call(bench):
    source = (
        HEAD.format(n=300)
        + """__global__ void copy(const float* x, float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x]; }
extern "C" void run(int n, const float* x, float* out) {
    static float* scratch = nullptr;
    if (!scratch) cudaMalloc(&scratch, n * sizeof(float));
    copy<<<1, 512>>>(x, scratch, n);
    copy<<<1, 512>>>(scratch, out, n);
}
"""
    )
    outcome = run(bench, source, calls=3)
    assert outcome.completed and {f.kind for f in outcome.run.findings} == {"leak"}
    assert all((output["out"] == outcome.inputs["x"]).all() for output in outcome.outputs)


@pytest.mark.parametrize(("n", "found"), [(1024, False), (1025, True)])
def test_a_few_bytes_may_come_from_the_host(bench, n, found):
    source = (
        HEAD.format(n=n)
        + """#include <vector>
__global__ void idle() {}
extern "C" void run(int n, const float* x, float* out) {
    std::vector<float> host(n, 1.0f);
    idle<<<1, 1>>>();
    cudaMemcpy(out, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}
"""
    )
    kinds = {(f.kind, f.status, f.line) for f in run(bench, source).run.findings}
    assert kinds == ({("computed_on_host", Status.POLICY_REJECTED, 8)} if found else set())


def test_a_kernel_that_writes_over_a_host_copy_did_the_work(bench):
    source = (
        HEAD.format(n=4000)
        + """#include <vector>
__global__ void add(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    std::vector<float> host(n, 1.0f);
    cudaMemcpy(out, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(x, out, n);
}
"""
    )
    outcome = run(bench, source)
    assert outcome.completed and outcome.run.findings == ()


def test_a_long_loop_is_slow_and_no_livelock(bench):
    """Reads of one volatile word in the company of writes to others, and a bounded wait."""
    source = (
        HEAD.format(n=64)
        + """__device__ volatile int unused;
__global__ void slow(const float* x, float* out) {
    float total = 0;
    for (int k = 0; k < 20000; k++) total += x[(threadIdx.x + k) % 64] + unused;
    for (int k = 0; k < 500 && unused == 0; k++) __nanosleep(20);
    out[threadIdx.x] = total;
}
extern "C" void run(int n, const float* x, float* out) { slow<<<1, n>>>(x, out); }
"""
    )
    outcome = run(bench, source)
    assert outcome.completed and outcome.run.findings == ()


CHAIN = (
    HEAD.format(n=256)
    + """__device__ volatile float sums[64];
__device__ int ready[64];
__global__ void reset() { ready[threadIdx.x] = 0; }
__global__ void chain(const float* x, float* out) {
    if (threadIdx.x == 0) {
        float before = 0;
        if (WAITS) {
            while (atomicAdd(&ready[OTHER], 0) == 0) {
            }
            __threadfence();
            before = sums[OTHER];
        }
        sums[blockIdx.x] = before + 1;
        __threadfence();
        atomicExch(&ready[blockIdx.x], 1);
        out[32 * blockIdx.x] = before;
    }
    if (threadIdx.x) out[32 * blockIdx.x + threadIdx.x] = x[32 * blockIdx.x + threadIdx.x];
}
extern "C" void run(int n, const float* x, float* out) { reset<<<1, 64>>>(); chain<<<n / 32, 32>>>(x, out); }
"""
)


@pytest.mark.parametrize("schedule", Schedule)
def test_a_block_may_wait_for_earlier_ones_with_a_warning_where_they_begin_later(bench, schedule):
    source = CHAIN.replace("WAITS", "blockIdx.x > 0").replace("OTHER", "blockIdx.x - 1")
    outcome = run(bench, source, schedule=schedule, seed=5)
    kinds = {finding.kind for finding in outcome.run.findings if finding.severity is Severity.ERROR}
    assert outcome.completed and not kinds
    told = "block_order" in {finding.kind for finding in outcome.run.findings}
    assert told is (schedule is not Schedule.FORWARD)


@pytest.mark.parametrize("schedule", Schedule)
def test_a_block_may_not_wait_for_later_ones(bench, schedule):
    source = CHAIN.replace("WAITS", "blockIdx.x + 1 < gridDim.x").replace("OTHER", "blockIdx.x + 1")
    outcome = run(bench, source, schedule=schedule, seed=5)
    found = "livelock" in {finding.kind for finding in outcome.run.findings}
    assert found is (schedule is not Schedule.REVERSE), "the last begins there"


def test_a_race_beside_a_block_that_waits_is_found(bench):
    source = CHAIN.replace("WAITS", "blockIdx.x > 0").replace("OTHER", "blockIdx.x - 1")
    racing = source.replace(
        "        out[32 * blockIdx.x] = before;", "        out[32 * blockIdx.x] = before;\n        out[1] += before;"
    )
    outcome = run(bench, racing, schedule=Schedule.REVERSE)
    assert Status.RACE in {f.status for f in outcome.run.findings if f.severity is Severity.ERROR}


def test_a_plain_build_tells_what_pointers_are(bench):
    source = (
        HEAD.format(n=64)
        + """__global__ void copy(const float* x, float* out, int more) { out[threadIdx.x] = x[threadIdx.x] + more; }
extern "C" void run(int n, const float* x, float* out) {
    cudaPointerAttributes told;
    int own = 0, kinds = 0;
    for (const void* each : {(const void*)x, (const void*)out, (const void*)&own}) {
        cudaPointerGetAttributes(&told, each);
        kinds += told.type == cudaMemoryTypeDevice;
    }
    if (kinds == 2) copy<<<1, n>>>(x, out, 0);
}
"""
    )
    for checked in (False, True):
        program = bench.build(source, checked=checked)
        outcome = bench.run(source, program, limits=Limits(wall_s=60))
        assert outcome.completed and outcome.run.findings == () and outcome.calls[0].flags == 0


BUILT_IN = (
    HEAD.format(n=64)
    + """__global__ void k(const float* x, float* out) {{
    const int i = threadIdx.x + 32 * blockIdx.x;
    {line}
    out[i] = x[i];
}}
extern "C" void run(int n, const float* x, float* out) {{ k<<<n / 32, 32>>>(x, out); }}
"""
)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("const_cast<unsigned&>(threadIdx.y) = 7;", True),
        ("const_cast<uint3&>(blockIdx) = uint3{0, 0, 9};", True),
        ("uint3 mine = threadIdx; mine.x = 7;", False),
    ],
)
def test_a_thread_keeps_its_own_numbers(bench, line, found):
    """Compilers take them for constants: a program that changes one by a cast would tell the emulator from a GPU."""
    outcome = run(bench, BUILT_IN.format(line=line), seed=3)
    assert [one.kind for one in outcome.run.findings if one.severity is Severity.ERROR] == ["built_in_write"] * found
