"""Rules about memory: wide accesses, constant memory, cache hints, and registers; each candidate before the judge at its full level."""

import pytest

from regrapht.records.verdict import Level

from ..judging import first_now

pytestmark = pytest.mark.slow  # every setting is judged on the emulator

SCALE = """
void scale_shift(int n, float factor, const float* x, float* y) {
    for (int i = 0; i < n; ++i) y[i] = factor * x[i] + y[i];
}
"""
BYTES = """
void brighten(int n, int add, const unsigned char* grey, short* out) {
    for (int i = 0; i < n; ++i) {
        const int sum = grey[i] + add;
        out[i] = sum > 255 ? 255 : sum;
    }
}
"""
DOUBLES = """
void axpy_double(int n, double a, const double* x, double* y, int* sign) {
    for (int i = 0; i < n; ++i) {
        y[i] += a * x[i];
        if (x[i] < 0.0) sign[i] = -1;
        else sign[i] = 1;
    }
}
"""
ROWS = """
void add_row(int rows, int cols, const float* a, const float* bias, float* out) {
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) out[r * cols + c] = a[r * cols + c] + bias[c];
}
"""
INTERIOR = """
void smooth(int n, const float* x, float* y) {
    for (int i = 1; i < n - 1; ++i) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
"""
TRIANGLE = """
void lower_copy(int n, const float* a, float* b) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) b[i * n + j] = 2.0f * a[i * n + j];
}
"""
SUM = """
double sum_of_squares(int n, const double* x) {
    double total = 0.0;
    for (int i = 0; i < n; ++i) total += x[i] * x[i];
    return total;
}
"""
EVERY_SECOND = """
void even_places(int n, const float* x, float* y) {
    for (int i = 0; i < n; i += 2) y[i] = x[i];
}
"""
TAPS = """
void weighted(int n, const float* signal, const float* tap, float* out) {
    for (int i = 0; i < n - 8; ++i) {
        float sum = 0.0f;
        for (int k = 0; k < 9; ++k) sum += signal[i + k] * tap[k];
        out[i] = sum;
    }
}
"""
POLYNOMIAL = """
void horner(int n, int terms, const float* x, const float* coefficient, float* y) {
    for (int i = 0; i < n; ++i) {
        float value = 0.0f;
        for (int k = 0; k < terms; ++k) value = value * x[i] * 0.125f + coefficient[k];
        y[i] = value;
    }
}
"""

VECTOR = [
    (SCALE, []),
    (SCALE, ["grid_stride_loop"]),
    (BYTES, []),
    (DOUBLES, []),
    (ROWS, []),
    (INTERIOR, []),
    (TRIANGLE, []),
    (SUM, []),
    (SUM, ["block_reduction", "two_stage_reduction"]),
]


@pytest.mark.parametrize("setting", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("text", "before"), first_now(VECTOR, 3))
def test_wide_accesses(text, before, setting, judging):
    task = judging.task(text)
    source = judging.source(task, [*before, "vectorised_access"], setting)
    assert "reinterpret_cast<" in source
    assert judging.faults(task, source, Level.FULL if text is ROWS else Level.SCREEN) == ""


def test_wide_accesses_with_every_hint_and_several_groups_a_thread(judging):
    task = judging.task(ROWS)
    source = judging.source(
        task, ["vectorised_access", "thread_coarsening", "streaming_stores", "launch_bounds", "restrict_read_only"]
    )
    shown = "".join(source.split())
    assert "__ldcs(reinterpret_cast<constfloat4*>(&a[" in shown and "__stcs(reinterpret_cast<float4*>" in shown
    assert judging.faults(task, source, Level.SCREEN) == ""


@pytest.mark.parametrize(
    ("text", "before", "why"),
    [
        (EVERY_SECOND, [], "does not go one by one"),
        (ROWS, ["map_2d"], "not numbered one a thread"),
        (SCALE, ["vectorised_access"], "not numbered one a thread"),
        (
            SCALE.replace("x[i]", "x[n - 1 - i]").replace("+ y[i]", "").replace("y[i]", "y[3 * i]"),
            [],
            "no array is touched",
        ),
    ],
)
def test_why_no_wide_accesses(text, before, why, judging):
    assert why in judging.refusal(judging.task(text), before, "vectorised_access")


def test_a_program_with_wide_accesses_is_not_mapped_in_another_way(judging):
    task = judging.task(ROWS)
    for rule in ("map_2d", "loop_interchange", "shared_memory_halo", "block_reduction"):
        assert judging.refusal(task, ["vectorised_access"], rule)


@pytest.mark.parametrize(("text", "branches"), [(TAPS, 1), (POLYNOMIAL, 2)])
def test_constant_memory(text, branches, judging):
    task = judging.task(text)
    source = judging.source(task, ["constant_memory", "loop_unrolling"])
    assert "__constant__ float" in source and source.count("<<<") == branches
    assert judging.faults(task, source) == ""


def test_why_no_constant_memory(judging):
    assert "same for all threads" in judging.refusal(judging.task(SCALE), [], "constant_memory")
    assert "already" in judging.refusal(judging.task(TAPS), ["constant_memory"], "constant_memory")
    assert "meet in updates" in judging.refusal(judging.task(SUM), [], "constant_memory")


@pytest.mark.parametrize("text", first_now([TAPS, ROWS, TRIANGLE, BYTES], 1))
def test_streaming(text, judging):
    task = judging.task(text)
    source = judging.source(task, ["streaming_stores"])
    assert "__stcs(&" in source
    assert judging.faults(task, source, Level.FULL if text is TAPS else Level.SCREEN) == ""


def test_why_no_streaming(judging):
    task = judging.task(INTERIOR.replace("y[i] =", "y[i] +="))
    assert "used more than once" in judging.refusal(task, [], "streaming_stores")
    assert "already" in judging.refusal(judging.task(ROWS), ["streaming_stores"], "streaming_stores")


@pytest.mark.parametrize(
    ("text", "before"), first_now([(SCALE, []), (SUM, ["two_stage_reduction"]), (ROWS, ["map_2d"])], 1)
)
def test_launch_bounds(text, before, judging):
    task = judging.task(text)
    source = judging.source(task, [*before, "launch_bounds"])
    assert "__launch_bounds__(256, 2)" in source
    assert judging.faults(task, source, Level.FULL if text is SCALE else Level.SCREEN) == ""


def test_why_no_launch_bounds(judging):
    task = judging.task(SCALE)
    assert "already" in judging.refusal(task, ["launch_bounds"], "launch_bounds")
