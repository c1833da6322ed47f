"""Real kernels with a barrier left out: the hint names the place, a barrier there mends the program, and the findings are few causes.

In a program, a line that ends in `// barrier` is the one that is left out; its name says which when there are two.
"""

import re

import pytest

from regrapht.emulate.emulator import EmulatedProgram, Schedule
from regrapht.emulate.finding_groups import grouped
from regrapht.records.verdict import Severity

REDUCTION = """// arrays: x in float32 N; out out float32 N
// N: 1024
__global__ void block_sum(const float* x, float* out) {
    __shared__ float part[256];
    const int t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    __syncthreads();  // barrier load
    for (int s = 128; s > 0; s >>= 1) {
        if (t < s) {
            part[t] += part[t + s];
        }
        __syncthreads();  // barrier turn
    }
    out[blockIdx.x * 256 + t] = part[0];
}
extern "C" void run(int n, const float* x, float* out) { block_sum<<<n / 256, 256>>>(x, out); }
"""
PRODUCT = """// arrays: a in float32 N; out out float32 N
// N: 1024
__global__ void square(const float* a, float* out) {
    __shared__ float left[8][8], right[8][8];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    float sum = 0;
    for (int t = 0; t < 4; t++) {
        left[y][x] = a[row * 32 + t * 8 + x];
        right[y][x] = a[(t * 8 + y) * 32 + column];
        __syncthreads();  // barrier load
        for (int k = 0; k < 8; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();  // barrier turn
    }
    out[row * 32 + column] = sum;
}
extern "C" void run(int n, const float* a, float* out) { square<<<dim3(4, 4), dim3(8, 8)>>>(a, out); }
"""
STENCIL = """// arrays: x in float32 N; out out float32 N
// N: 512
__global__ void relax(const float* x, float* out) {
    __shared__ float tile[128];
    const int t = threadIdx.x, left = (t + 127) % 128, right = (t + 1) % 128;
    tile[t] = x[blockIdx.x * 128 + t];
    __syncthreads();  // barrier load
    for (int s = 0; s < 5; s++) {
        const float a = tile[left];
        const float b = tile[right];
        __syncthreads();  // barrier inner
        tile[t] = 0.5f * tile[t] + 0.25f * (a + b);
        __syncthreads();  // barrier turn
    }
    out[blockIdx.x * 128 + t] = tile[t];
}
extern "C" void run(int n, const float* x, float* out) { relax<<<4, 128>>>(x, out); }
"""
HELPER = """// arrays: x in float32 N; out out float32 N
// N: 96
__device__ float total(float v) {
    __shared__ float part[96];
    part[threadIdx.x] = v;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 96; k++) sum += part[k];
    __syncthreads();  // barrier turn
    return sum;
}
__global__ void normalise(const float* x, float* out) {
    const float mean = total(x[threadIdx.x]) / 96, d = x[threadIdx.x] - mean;
    out[threadIdx.x] = d / total(d * d);
}
extern "C" void run(int n, const float* x, float* out) { normalise<<<1, 96>>>(x, out); }
"""
PROGRAMS = {"reduction": REDUCTION, "product": PRODUCT, "stencil": STENCIL, "helper": HELPER}
CASES = [(name, missing) for name, source in PROGRAMS.items() for missing in re.findall(r"// barrier (\w+)", source)]


def without(source: str, missing: str) -> str:
    return re.sub(rf".*// barrier {missing}\n", "", source)


def findings_of(bench, source: str, schedule: Schedule = Schedule.FORWARD):
    program = bench.build(source, checked=True)
    assert isinstance(program, EmulatedProgram), program
    outcome = bench.run(source, program, schedule=schedule, seed=3)
    assert outcome.completed and outcome.run.completed.ok
    return outcome.run.findings


def mended(source: str, hint: str) -> str:
    """The source with a barrier behind the line that the hint names."""
    (after,) = re.findall(r"after line (\d+)", hint)
    lines = source.splitlines(keepends=True)
    assert hint.startswith("Put __syncthreads()"), hint
    return "".join([*lines[: int(after)], "__syncthreads();\n", *lines[int(after) :]])


@pytest.mark.parametrize(("name", "missing"), CASES, ids=" ".join)
def test_one_cause_is_told_and_its_hint_mends(bench, name, missing):
    source = without(PROGRAMS[name], missing)
    found = findings_of(bench, source)
    assert {finding.severity for finding in found} == {Severity.ERROR}
    (group,) = grouped(found)
    assert len(found) == 1 + len(group.others) >= 2
    assert ("at the end of" in group.first.hint) == (missing == "turn"), group.first.hint
    assert findings_of(bench, mended(source, group.first.hint)) == ()


@pytest.mark.slow
@pytest.mark.parametrize("schedule", list(Schedule))
@pytest.mark.parametrize("name", PROGRAMS)
def test_without_any_barrier_each_is_named(bench, name, schedule):
    source = re.sub(r".*// barrier \w+\n", "", PROGRAMS[name])
    groups = grouped(findings_of(bench, source, schedule))
    wanted = len(re.findall("// barrier", PROGRAMS[name]))
    assert 1 <= len(groups) <= wanted and any("at the end of" in group.first.hint for group in groups)


READERS = """// arrays: x in float32 N; out out float32 N
// N: 128
__global__ void spread(const float* x, float* out, int racing) {
    __shared__ float tile[128];
    const int i = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        tile[i] = x[i] + k;
        __syncthreads();
        const float side = tile[(i + 1) % 128];  // before its own thread does
        if (blockIdx.x != racing) __syncthreads();
        tile[i] = 2 * tile[i];
        __syncthreads();
        if (blockIdx.x == racing) out[i] = side;
    }
}
extern "C" void run(int n, const float* x, float* out) { spread<<<BLOCKS, 128>>>(x, out, RACING); }
"""


@pytest.mark.parametrize(("blocks", "racing"), [(1, 0), (40, 34)], ids=["traced block", "another block"])
def test_a_writer_that_is_the_last_reader_itself_is_told_from_the_others(bench, blocks, racing):
    """Line 11 reads what it writes, after all other threads have read it in line 9."""
    source = READERS.replace("BLOCKS", str(blocks)).replace("RACING", str(racing))
    program = bench.build(source, checked=True)
    for schedule in Schedule:
        found = bench.run(source, program, schedule=schedule, seed=3).run.findings
        races = {(f.kind, f.line, f.other_line) for f in found}
        assert races == {("race_shared_rw", 11, 9), ("race_shared_wr", 9, 11)}, (schedule, found)
        assert all("by thread" in f.message for f in found), found
