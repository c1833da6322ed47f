"""Programs that a judge which means well lets pass, and right ones that it refuses for what is nobody's to say."""

from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.evaluate.inputs.task_files import task_key
from regrapht.records.task import Compare, Init
from regrapht.records.verdict import Level, Status

ROWS = """#include <cstring>
void rowsum(int m, int n, const float* x, float* y) {
    memset(y, 0, m * 4);
    for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) y[i] += x[i * n + j];
}"""
LOGISTIC = """void f(int n, const float* x, float* y) {
    for (int i = 0; i < n; ++i) { float v = x[i]; for (int s = 0; s < 200; ++s) v = 3.9f * v * (1.0f - v); y[i] = v; }
}"""
DEVIATION = """#include <cmath>
void f(int n, const float* x, float* y) {
    for (int i = 0; i < n / 8; ++i) {
        float s = 0, q = 0;
        for (int k = 0; k < 8; ++k) { s += x[8 * i + k]; q += x[8 * i + k] * x[8 * i + k]; }
        for (int k = 0; k < 8; ++k) y[8 * i + k] = q / 8 - s / 8 * (s / 8);
    }
}"""
HALF = """#include <cuda_fp16.h>
#include <cmath>
void softmax(int m, int n, const __half* x, __half* y) {
    for (int i = 0; i < m; ++i) {
        float top = __half2float(x[i * n]), s = 0;
        for (int j = 1; j < n; ++j) top = fmaxf(top, __half2float(x[i * n + j]));
        for (int j = 0; j < n; ++j) s += expf(__half2float(x[i * n + j]) - top);
        for (int j = 0; j < n; ++j) y[i * n + j] = __float2half(expf(__half2float(x[i * n + j]) - top) / s);
    }
}"""
HALF_KERNEL = """#include <cuda_fp16.h>
__global__ void k(int m, int n, const __half* x, __half* y) {
    int i = blockIdx.x;
    __shared__ float s[128];
    float top = -INFINITY, part = 0, all = 0;
    for (int j = 0; j < n; ++j) top = fmaxf(top, __half2float(x[i * n + j]));
    for (int j = threadIdx.x; j < n; j += 128) part += expf(__half2float(x[i * n + j]) - top);
    s[threadIdx.x] = part;
    __syncthreads();
    for (int j = 0; j < LANES; ++j) all += s[j];
    for (int j = threadIdx.x; j < n; j += 128) y[i * n + j] = __float2half(expf(__half2float(x[i * n + j]) - top) / all);
}
extern "C" void softmax(int m, int n, const __half* x, __half* y) { k<<<m, 128>>>(m, n, x, y); }"""
BRIGHT = """void f(int n, const unsigned char* x, unsigned char* y) {
    for (int i = 0; i < n; ++i) { int v = x[i] * 2 + 100; y[i] = v > 255 ? 255 : v; }
}"""
FORGETS = """__global__ void k(int n, const unsigned char* x, unsigned char* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { int v = x[i] * 2 + 100; if (v <= 255) y[i] = v; }
}
extern "C" void f(int n, const unsigned char* x, unsigned char* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }"""
SORT = """#include <algorithm>
void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = x[i]; std::sort(y, y + n); }"""
RANK = """__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int r = 0;
        for (int j = 0; j < n; ++j) r += x[j] < x[i] || (x[j] == x[i] && j < i);
        y[r] = x[i];
    }
}
extern "C" void f(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }"""
MOMENTUM = """void f(int n, const float* x, float* y) {
    for (int i = 0; i < n; ++i) { float m = 0.9f * x[i] + 0.1f * x[(i + 1) % n]; y[i] = x[i] - m / 1e-5f; }
}"""
MOMENTUM_KERNEL = """__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float m = MEAN; y[i] = x[i] - m / 1e-5f; }
}
extern "C" void f(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }"""
ANYTHING = 'extern "C" void NAME {}'
NEAR_HUNDRED = Init(kind="normal", parameters={"mean": 100.0, "std": 0.001})


def vector(build, text, sizes=({"n": 8}, {"n": 40}), **init):
    args = (build.size("n"), build.array("x", "n", "in", **init), build.array("y", "n", "out"))
    return build.task("f", text, args, sizes, length="8")


def test_a_reference_whose_wide_run_is_another_program_holds_nothing_against_anybody(build, emulated, candidate):
    """`memset` of four bytes an element leaves half of the wide run's output alone, where every finite value would be right."""
    args = (build.size("m"), build.size("n"), build.array("x", "m,n", "in"), build.array("y", "m", "out"))
    task = build.task("rowsum", ROWS, args, ({"m": 65, "n": 33}, {"m": 20, "n": 17}), length="n")
    source = ANYTHING.replace("NAME", "rowsum(int m, int n, const float* x, float* y)")
    verdict = emulated.evaluate(task, candidate(source), level=Level.SCREEN)
    assert verdict.status is Status.INVALID_TASK and "sizeof(float)" in verdict.reason, verdict


@pytest.mark.parametrize("name", ["chaos", "cancellation"])
def test_a_reference_that_knows_no_digit_excuses_no_candidate(name, build, emulated, candidate):
    start = Init(kind="uniform", parameters={"low": 0.1, "high": 0.9})
    task = vector(build, LOGISTIC, init=start) if name == "chaos" else vector(build, DEVIATION, init=NEAR_HUNDRED)
    source = ANYTHING.replace("NAME", "f(int n, const float* x, float* y)")
    verdict = emulated.evaluate(task, candidate(source), level=Level.SCREEN)
    assert verdict.status is Status.INVALID_TASK and "two digits" in verdict.reason, verdict


@pytest.mark.parametrize(("lanes", "status"), [("128", Status.PASSED), ("127", Status.WRONG_VALUE)])
def test_a_long_sum_does_not_widen_what_half_stores(lanes, status, build, emulated, candidate):
    """Its terms underflow in float32, not in the type of the output: one of 128 partial sums is no rounding."""
    args = (
        build.size("m"),
        build.size("n"),
        build.array("x", "m,n", "in", dtype="float16"),
        build.array("y", "m,n", "out", dtype="float16"),
    )
    task = build.task("softmax", HALF, args, ({"m": 1, "n": 4096}, {"m": 2, "n": 4096}), length="n")
    verdict = emulated.evaluate(task, candidate(HALF_KERNEL.replace("LANES", lanes)), level=Level.FULL)
    assert verdict.status is status, verdict


def test_what_lies_in_an_output_beforehand_is_not_always_the_same(build, emulated, candidate):
    """A task of one shape and integers has a single case, and what nobody wrote there was 255."""
    pixels = Init(kind="integers", parameters={"low": 0, "high": 256})
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="uint8", init=pixels),
        build.array("y", "n", "out", dtype="uint8"),
    )
    task = build.task("f", BRIGHT, args, ({"n": 1000},))
    verdict = emulated.evaluate(task, candidate(FORGETS), level=Level.FULL)
    assert verdict.status in (Status.UNWRITTEN, Status.WRONG_VALUE), verdict


def test_which_zero_comes_first_is_nobodys_to_say(build, emulated, candidate):
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", SORT, args, ({"n": 1}, {"n": 33}, {"n": 200}), exact=True)
    verdict = emulated.evaluate(task, candidate(RANK), level=Level.FULL)
    assert verdict.passed, verdict


@pytest.mark.parametrize(
    ("mean", "status"),
    [
        ("fmaf(0.1f, x[(i + 1) % n], 0.9f * x[i])", Status.PASSED),
        ("fabsf(x[i]) < FLT_MIN ? 0 : 0.9f * x[i] + 0.1f * x[(i + 1) % n]", Status.WRONG_VALUE),
    ],
    ids=["fused", "flushed"],
)
def test_rounding_below_the_normal_numbers_is_rounding(mean, status, build, emulated, candidate):
    """A product among the subnormals is off by up to half of the smallest one, whatever its own size, and a division makes that large.
    What flushes them to zero is off by more."""
    task = vector(build, MOMENTUM, ({"n": 31}, {"n": 256}, {"n": 1000}))
    source = "#include <cfloat>\n" + MOMENTUM_KERNEL.replace("MEAN", mean)
    for _ in range(3):  # the data are drawn anew
        verdict = emulated.evaluate(task, candidate(source), level=Level.FULL)
        assert verdict.status is status, verdict.reason


@pytest.mark.parametrize(
    ("how", "exact", "rounded"),
    [
        ("x[i] * 37.3f + 0.5f", Status.PASSED, Status.PASSED),
        ("fmaf(x[i], 37.3f, 0.5f - 1e-5f)", Status.WRONG_VALUE, Status.PASSED),
        pytest.param("x[i] * 37.3f", Status.WRONG_VALUE, Status.WRONG_VALUE, marks=pytest.mark.slow),
        ("x[i] * 37.3f + (i == 7 ? 3.5f : 0.5f)", Status.WRONG_VALUE, Status.WRONG_VALUE),
    ],
    ids=["same", "other rounding", "truncated", "one far off"],
)
def test_integers_rounded_from_floats(how, exact, rounded, build, emulated, candidate):
    text = "void f(int n, const float* x, unsigned char* y) { for (int i = 0; i < n; ++i) y[i] = (unsigned char)(x[i] * 37.3f + 0.5f); }"
    kernel = """__global__ void k(int n, const float* x, unsigned char* y) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = (unsigned char)(HOW);
    }
    extern "C" void f(int n, const float* x, unsigned char* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }"""
    for compare, status in ((None, exact), (Compare.ROUNDED, rounded)):
        init = Init(kind="uniform", parameters={"low": 0.0, "high": 6.0})
        out = replace(build.array("y", "n", "out", dtype="uint8"), compare=compare)
        args = (build.size("n"), replace(build.array("x", "n", "in", init=init), domain=(0.0, 6.0)), out)
        task = build.task("f", text, args, ({"n": 31}, {"n": 200000}), length="1")
        verdict = emulated.evaluate(task, candidate(kernel.replace("HOW", how)), level=Level.SCREEN)
        assert verdict.status is status, verdict.reason
        hinted = compare is None and rounded is Status.PASSED and not verdict.passed
        assert ('compare = "rounded"' in verdict.reason) is hinted, verdict.reason


def test_a_task_is_another_one_when_a_file_that_it_reads_changes(tmp_path: Path, saxpy):
    (tmp_path / "inner.h").write_text("#define FACTOR 2.0f\n")
    (tmp_path / "outer.h").write_text('#include "inner.h"\n')
    (tmp_path / "other.h").write_text("")
    text = '#include "outer.h"\n#include <cmath>\n' + saxpy.reference.source.text
    source = replace(saxpy.reference.source, text=text)
    task = replace(saxpy, reference=replace(saxpy.reference, source=source, include=(str(tmp_path),)))
    first = task_key(task)
    (tmp_path / "other.h").write_text("#define NOBODY_READS_IT\n")
    assert first == task_key(task) != saxpy.content_hash == task_key(saxpy)
    (tmp_path / "inner.h").write_text("#define FACTOR 3.0f\n")
    assert task_key(task) != first


def test_a_task_is_another_one_when_its_data_change(tmp_path: Path, build):
    init = Init(kind="file", parameters={"path": str(tmp_path / "x.npy")})
    args = (build.size("n"), build.array("x", "n", "in", init=init), build.array("y", "n", "out"))
    task = build.task("f", "", args, ({"n": 4},))
    missing = task_key(task)
    (tmp_path / "x.npy").write_bytes(b"one")
    first = task_key(task)
    (tmp_path / "x.npy").write_bytes(b"two")
    assert len({missing, first, task_key(task), task.content_hash}) == 4
