"""Loops with something between them, sizes that a division makes, blocks, bands, and names that others have: small programs, natively."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine

from ..judging import steps
from ..native.native_bench import Pair, native_differences

HEAD = (
    "// shape: a = n*m\n// shape: b = n*m\n// shape: x = n + m\n// check: n=1, m=1; n=5, m=3; n=40, m=33; n=3, m=300\n"
)
ROW = "for (int i = 0; i < n; i++)"
COLUMN = "for (int k = 0; k < m; k++)"
INSIDE = {
    "a scalar a row": f"{ROW} {{ const float y = x[i] * 2 + i; {COLUMN} b[i * m + k] = a[i * m + k] * y; }}",
    "two, one from the other": f"{ROW} {{ float y = x[i]; float z = y * y; {COLUMN} b[i * m + k] = y - z * k; }}",
    "an element of the middle loop": f"{ROW} for (int r = 0; r < m; r++) {{ float y = x[r]; {COLUMN} b[i * m + k] += y * a[i * m + r]; }}",
    "a place": f"{ROW} {{ const int row = i * m; {COLUMN} b[row + k] = a[row + m - 1 - k]; }}",
}
BETWEEN = {
    "it changes": f"{ROW} {{ float y = 0; {COLUMN} {{ y = 0.5f * y + a[i * m + k]; b[i * m + k] = y; }} }}",
    "what it reads is written": f"{ROW} {{ float y = b[i * m]; {COLUMN} b[i * m + k] = y + k; }}",
    "a header asks for it": f"{ROW} {{ int end = (int)(x[i] * x[i] * 9); for (int k = 0; k < m && k < end; k++) b[i * m + k] = k; }}",
    "used behind the loop": f"{ROW} {{ float y = x[i]; for (int k = 1; k < m; k++) b[i * m + k] = y * k; b[i * m] = y; }}",
}
RIGHT = {
    "a size by division": "const int rows = (n - 1) / 2 + 1, half = n / m; for (int i = 0; i < rows; i++)"
    f" {COLUMN} b[i * m + k] = a[i * m + k] + half;",
    "a ratio": f"const float ratio = (float)n / m; {ROW} x[i] = ratio * i;",
    "a division behind a guard": f"if (n > 2) {{ const int q = m / (n - 2); {ROW} x[i] = q; }}",
    "a local step": "const int wide = 32; for (int j = 0; j < n * m; j += wide)"
    " for (int k = j; k < std::min(j + wide, n * m); k++) b[k] = 2 * a[k];",
    "a ternary bound": "for (int j = 0; j < n; j += 4) for (int k = j; k < (j + 4 < n ? j + 4 : n); k++) x[k] += 1;",
    "a band": f"{ROW} for (int k = std::max(0, i - 2); k < std::min(m, i + 3); k++) b[i * m + k] *= x[i] + k;",
    "a table that outlives its loop": "float t[4][8]; for (int i = 0; i < 4; i++) for (int j = 0; j < 8; j++)"
    " t[i][j] = x[(i + j) % n]; for (int k = 0; k < n * m; k++) b[k] = t[k % 4][k % 8];",
    "more functions": f"{ROW} x[i] = std::isnan(x[i]) || std::signbit(x[i]) ? std::rint(3 * x[i]) : std::ldexp(x[i], 2);"
    " for (int k = 0; k < n * m; k++) b[k] = (float)std::lround(9 * a[k]) + std::fdim(a[k], b[k]);",
}
NARROW = {"a local step": 1, "a ternary bound": 1, "a band": 1, "a size by division": 2}


def task_with(make_task, body: str):
    return make_task(
        f"#include <algorithm>\n#include <cmath>\n{HEAD}void f(int n, int m, const float* a, float* b, float* x) {{\n{body}\n}}",
        "f",
    )


@pytest.mark.parametrize("name", INSIDE)
def test_scalars_between_loops_keep_no_loop_from_being_threads(name, make_task):
    (nest,) = analyse(task_with(make_task, INSIDE[name])).nests
    assert {"i", "k"} <= set(nest.parallel)


@pytest.mark.parametrize("name", BETWEEN)
def test_what_cannot_be_set_anew_stays_between_them(name, make_task):
    (nest,) = analyse(task_with(make_task, BETWEEN[name])).nests
    assert nest.parallel == ["i"]


@pytest.mark.parametrize("name", NARROW)
def test_as_many_loops_are_threads_as_their_points_allow(name, make_task):
    (nest,) = analyse(task_with(make_task, RIGHT[name])).nests
    assert len(nest.parallel) == NARROW[name]


def test_all_of_them_are_right(make_task):
    engine = Engine()
    tasks = [task_with(make_task, body) for body in (*INSIDE.values(), *BETWEEN.values(), *RIGHT.values())]
    pairs = [Pair(task, engine.text(task, steps(engine, task, []))) for task in tasks]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].source) for k, said in wrong.items()]


def test_more_points_than_elements_are_counted_in_a_long_type(make_task):
    """Threads are numbered over the box of all loops, which may have more points than any array has elements."""
    text = (
        "// shape: a = n*n\n// check: n=1; n=5; n=40\n"
        "void f(int n, float* a) { for (int i = 0; i < n; i++) for (int k = 0; k <= i; k++) a[i * n + k] += 1; }"
    )
    engine, triangle = Engine(), make_task(text, "f")
    square = task_with(make_task, INSIDE["a place"])
    for task, type_name in ((triangle, "long long"), (square, "unsigned int")):
        assert f"const {type_name} point" in engine.text(task, steps(engine, task, []))


@pytest.mark.parametrize("name", ["rsqrt", "lerp", "exp10", "j0", "sinpif", "saturate"])
def test_helpers_have_names_that_no_library_has(name, make_task):
    text = (
        f"// shape: y = n\n// check: n=5\nstatic float {name}(float v) {{ return 2 * v; }}\n"
        f"void f(int n, float* y) {{ for (int i = 0; i < n; i++) y[i] = {name}(y[i]); }}"
    )
    engine, task = Engine(), make_task(text, "f")
    assert f"own_{name}(" in engine.text(task, steps(engine, task, []))
