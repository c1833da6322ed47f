"""Compiled references: right, widened, guarded, and the task's own faults named."""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.errors import InvalidTask
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.element_arrays import numbers, stored
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference import compiled
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.evaluate.reference.source import Variant, _wrap_literals
from regrapht.records.element import SCALAR_TYPES, StructType
from regrapht.records.task import Init

SECRET = secret_from("test_reference")


def inputs_of(task, *, sizes=None, family=Family.DECLARED, index=0):
    return draw(task, Case(sizes=sizes or task.check_sizes[-1], family=family), secret=SECRET, index=index)


def test_gemm_agrees_with_numpy_and_carries_magnitudes(gemm, sandbox):
    reference = CompiledReference(gemm, sandbox)
    inputs = inputs_of(gemm, sizes={"M": 5, "N": 7, "K": 300})
    expected = reference.expected([inputs])[0]
    a, b = inputs.arrays["A"].reshape(5, 300).astype(float), inputs.arrays["B"].reshape(300, 7).astype(float)
    wide = expected.wide["C", ""]
    assert reference.wide_variant is Variant.CARRIED
    assert np.allclose(wide.values, (a @ b).ravel(), rtol=1e-13, atol=1e-12)
    assert np.allclose(wide.scale, (np.abs(a) @ np.abs(b)).ravel(), rtol=1e-12)
    error = np.abs(expected.as_written["C"] - wide.values).max()
    assert 1e-8 < error < 1e-4, "as written it is float32"


MATHS = """#include <cmath>
#include <algorithm>
#include <vector>
static inline float logistic(float x) { return 1.0f / (1.0f + expf(-x)); }
void f(int n, const float* x, float* y) {
    std::vector<float> copy(x, x + n);
    for (int i = 0; i < n; ++i) {
        float v = std::max(0.0f, copy[i]) + std::sqrt(fabsf(copy[i])) * sinf(copy[i]) + powf(fabsf(copy[i]) + 1.f, 1.5f);
        if (v > 3) v *= 0.5f;
        y[i] = logistic(v) + std::fmin(v, 2.0f) - (copy[i] < 0 ? -copy[i] : copy[i]);
    }
}"""


def test_ordinary_code_can_be_carried(build, sandbox):
    task = build.task(
        "f", MATHS, (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out")), ({"n": 50},)
    )
    reference = CompiledReference(task, sandbox)
    expected = reference.expected([inputs_of(task)])[0]
    wide = expected.wide["y", ""]
    assert reference.wide_variant is Variant.CARRIED
    assert np.abs(expected.as_written["y"] - wide.values).max() < 1e-5
    assert (wide.scale >= np.abs(wide.values) * 0.99).all()


SQUARED = """void f(int n, const float* x, float* y) {
    for (int i = 0; i < n; ++i) {
        float a = x[i] * 3.0f - x[i] * 3.0f, b = x[i] - 0.5f * x[i];
        y[i] = a * a + b * 0.0f;
    }
}"""


def test_the_square_of_what_cancels_has_room_for_the_rounding_of_both_factors(build, sandbox):
    """A frequency that a constant signal lacks has power 0 here, and the square of a rounding error where sums go another way."""
    task = build.task(
        "f", SQUARED, (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out")), ({"n": 50},)
    )
    inputs = inputs_of(task)
    wide = CompiledReference(task, sandbox).expected([inputs])[0].wide["y", ""]
    assert (wide.values == 0).all()
    rounding = 2.0**-24 * 6 * np.abs(inputs.arrays["x"].astype(float))
    assert (2.0**-24 * wide.scale >= 0.99 * rounding**2).all(), "so far off is an honest square"
    assert (2.0**-24 * wide.scale <= 1.01 * rounding**2).all(), "and no further"


def test_double_tasks_widen_to_long_double(build, sandbox):
    source = (
        "double s(int n, const double* x) { double t = 0.0; for (int i = 0; i < n; ++i) t += x[i] * 0.1; return t; }"
    )
    args = (build.size("n"), build.array("x", "n", "in", dtype="float64"))
    task = build.task("s", source, args, ({"n": 1000},), length="n", returns=SCALAR_TYPES["float64"])
    expected = CompiledReference(task, sandbox).expected([inputs_of(task)])[0]
    wide = expected.wide["result", ""]
    assert wide.values.dtype == np.longdouble
    error = abs(wide.values[0] - expected.as_written["result"][0])
    assert 0 < error < 1e-12


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_storage(build, sandbox, dtype):
    name = {"float16": "__half", "bfloat16": "__nv_bfloat16"}[dtype]
    source = f"void f(int n, const {name}* x, {name}* y) {{ for (int i = 0; i < n; ++i) y[i] = {name}(float(x[i]) * 1.5f); }}"
    args = (build.size("n"), build.array("x", "n", "in", dtype=dtype), build.array("y", "n", "out", dtype=dtype))
    task = build.task("f", source, args, ({"n": 64},))
    expected = CompiledReference(task, sandbox).expected([inputs_of(task)])[0]
    wide = expected.wide["y", ""].values
    scalar = SCALAR_TYPES[dtype]
    assert (stored(wide, scalar) == expected.as_written["y"]).all()
    assert np.ptp(numbers(expected.as_written["y"], scalar)) > 1


def test_structs(build, sandbox):
    source = """struct P { int id; float x; };
void f(int n, const P* p, P* q) { for (int i = 0; i < n; ++i) { q[i].id = p[i].id + 1; q[i].x = p[i].x * 0.3f; } }"""
    point = StructType(c_name="P", fields=(("id", SCALAR_TYPES["int32"]), ("x", SCALAR_TYPES["float32"])))
    args = (
        build.size("n"),
        replace(build.array("p", "n", "in"), dtype=point),
        replace(build.array("q", "n", "out"), dtype=point),
    )
    task = build.task("f", source, args, ({"n": 10},))
    inputs = inputs_of(task)
    expected = CompiledReference(task, sandbox).expected([inputs])[0]
    assert (expected.as_written["q"]["id"] == inputs.arrays["p"]["id"] + 1).all()
    assert np.allclose(expected.wide["q", "x"].values, inputs.arrays["p"]["x"].astype(float) * np.float32(0.3))
    assert (expected.wide_exact["q", "id"] == expected.as_written["q"]["id"]).all()


def test_code_that_looks_at_bits_is_not_widened(build, sandbox):
    source = "#include <cstring>\nvoid f(int n, const float* x, unsigned* y) { for (int i = 0; i < n; ++i) memcpy(y + i, x + i, 4); }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out", dtype="uint32"))
    task = build.task("f", source, args, ({"n": 5},))
    assert CompiledReference(task, sandbox).expected([inputs_of(task)])[0].wide is None


def test_literals_are_wrapped_outside_text_only():
    text = '#include <a1.0f>\nfloat x = 1.0f + .5e-3f; // 2.0f\nconst char* s = "3.0f"; int i = 10; double d = 1.5; v.x1.f();'
    wrapped = _wrap_literals(text, every=False)
    assert "((float)1.0f) + ((float).5e-3f)" in wrapped
    assert (
        "// 2.0f" in wrapped
        and '"3.0f"' in wrapped
        and "<a1.0f>" in wrapped
        and "= 10;" in wrapped
        and "= 1.5;" in wrapped
    )
    assert "((double)1.5)" in _wrap_literals(text, every=True)


def test_a_reference_that_does_not_compile_is_named(build, sandbox):
    task = build.task(
        "f",
        "void f(int n, float* y) {\n    y[0] = undefined_name;\n}",
        (build.size("n"), build.array("y", "n", "out")),
        ({"n": 1},),
    )
    with pytest.raises(InvalidTask, match=r"reference.cpp:2:\d+: error.*undefined_name"):
        CompiledReference(task, sandbox).check()


def test_a_dtype_of_another_size_is_named(build, sandbox):
    task = build.task(
        "f", "void f(int n, long* y) { y[0] = 1; }", (build.size("n"), build.array("y", "n", "out")), ({"n": 1},)
    )
    with pytest.raises(InvalidTask, match="another size than the dtype"):
        CompiledReference(task, sandbox).check()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("int* p = nullptr; p[n] = 1;", "crashed with SIGSEGV at n=8"),
        ("y[n + 1024] = 1;", "crashed with SIGSEGV"),
        ("for (volatile int i = 0; ; ) i = 1;", r"f did not end within 1 s at n=8: smaller shapes under \[sizes\]"),
        ("__builtin_trap();", "crashed with SIG"),
    ],
)
def test_a_reference_that_fails_is_named(build, sandbox, body, words):
    task = build.task(
        "f", f"void f(int n, float* y) {{ {body} }}", (build.size("n"), build.array("y", "n", "out")), ({"n": 8},)
    )
    with pytest.raises(ReferenceFailed, match=words):
        CompiledReference(task, sandbox, wall_s=1).expected([inputs_of(task)])


def test_the_call_that_does_not_end_is_named(build, sandbox):
    """Of a batch, with its shape and what helps; in a wider float the message says so."""
    source = "void f(int n, const float* x, float* y) { y[0] = x[0]; for (volatile int i = 0; n == 3; ) i = 1; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", source, args, ({"n": 8},))
    batch = [inputs_of(task, sizes={"n": n}) for n in (2, 5, 3, 4)]
    reference = CompiledReference(task, sandbox, wall_s=1)
    for run, slower in ((reference.written, ""), (reference.wide, ", in a wider float, which is slower")):
        with pytest.raises(ReferenceFailed) as caught:
            run(batch)
        assert caught.value.call == 2
        assert str(caught.value).startswith(
            f"reference.cpp: f did not end within 1 s, in call 3 of 4 at n=3{slower}: smaller shapes under [sizes] in task.toml help"
        )


def test_survivors_leave_out_what_the_reference_cannot_take(build, sandbox):
    source = """void f(int n, const float* x, int* y) {
    for (int b = 0; b < 8; ++b) y[b] = 0;
    for (int i = 0; i < n; ++i) y[(int)(x[i] * 8)]++;
}"""
    init = Init(kind="uniform", parameters={"low": 0.0, "high": 0.99})
    args = (
        build.size("n"),
        build.array("x", "n", "in", init=init, domain=(-1e9, 1e9)),
        build.array("y", "8", "out", dtype="int32"),
    )
    task = build.task("f", source, args, ({"n": 50},))
    families = (Family.DECLARED, Family.OUTLIER, Family.ZEROS, Family.WIDE)
    alive = CompiledReference(task, sandbox).survivors([inputs_of(task, family=f) for f in families])
    assert alive == [True, False, True, False]


def test_sequential_times(saxpy, sandbox):
    times = CompiledReference(saxpy, sandbox).sequential_times_us(inputs_of(saxpy), samples=5, wall_s=20)
    assert len(times) == 5 and all(t > 0 for t in times)


def test_c_references(build, sandbox):
    source = "void f(int n, const float *restrict x, float *y) { int new = 2; for (int i = 0; i < n; ++i) y[i] = new * x[i]; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", source, args, ({"n": 9},), file="reference.c")
    inputs = inputs_of(task)
    assert (CompiledReference(task, sandbox).expected([inputs])[0].as_written["y"] == 2 * inputs.arrays["x"]).all()


ENDLESS = "for (volatile int i = 0; ; ) i = i + 1;"


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (ENDLESS, "did not end within 0.2 s of processor time, in call 1 of 2 at n="),
        ("static int calls = 0; if (calls++ == 1) " + ENDLESS, "in call 2 of 2 at n="),
        ("fork();", "starts a process at n="),
    ],
    ids=["never ends", "never ends the second time", "starts a process"],
)
def test_a_call_that_never_ends_or_starts_processes_ends_the_run_at_once(saxpy, sandbox, monkeypatch, first, words):
    monkeypatch.setattr(compiled, "_CALL_S", 0.2)
    text = saxpy.reference.source.text
    text = "#include <unistd.h>\n" + text.replace("{", "{ " + first, 1)
    source = replace(saxpy.reference.source, text=text)
    task = replace(saxpy, reference=replace(saxpy.reference, source=source))
    with pytest.raises(ReferenceFailed) as failed:
        CompiledReference(task, sandbox, wall_s=120).expected([inputs_of(task), inputs_of(task)])
    assert words in str(failed.value)


def test_a_reference_of_a_bench_shape_has_all_its_time_for_one_call(saxpy, sandbox, monkeypatch):
    monkeypatch.setattr(compiled, "_CALL_S", 0.05)
    spin = "{ for (volatile int i = 0; i < 200000000; ) i = i + 1;"
    source = replace(saxpy.reference.source, text=saxpy.reference.source.text.replace("{", spin, 1))
    task = replace(saxpy, reference=replace(saxpy.reference, source=source))
    assert CompiledReference(task, sandbox).expected([inputs_of(task)], wall_s=120)
    with pytest.raises(ReferenceFailed):
        CompiledReference(task, sandbox).expected([inputs_of(task)])
