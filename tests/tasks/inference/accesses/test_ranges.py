# ruff: noqa: E501 -- one function a line
"""Inference through lambdas, memory that a function makes for itself, the library's loops over ranges and preprocessor lines."""

import shutil

import pytest

from regrapht.errors import TaskError

from ...test_infer import described, infer, outputs

HEAD = "#include <algorithm>\n#include <cmath>\n#include <cstdlib>\n#include <cstring>\n#include <memory>\n#include <numeric>\n#include <utility>\n#include <vector>\n"
STYLES = {
    "pixel": (
        "void pixel(int h, int w, const float* in, float* out) { auto at = [&](int y, int x) { return y > 0 ? in[y * w + x] : 0.0f; };"
        " for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) out[y * w + x] = at(y, x) + at(h - 1 - y, x); }",
        {"in": "in h * w", "out": "out h w"},
    ),
    "one in another": (
        "void both(int n, const float* a, float* b) { auto at = [&](int i) { return a[i + 1]; }; auto two = [&](int k) { const int i = 5; return at(k) + at(k + i); };"
        " for (int i = 0; i < n; i++) b[i] = two(i); }",
        {"a": "in n + 6", "b": "out n"},
    ),
    "shifted": ("void shifted(int n, const float* a, float* b) { auto at = [&](int n) { return a[n]; }; for (int i = 0; i < n; i++) b[i] = at(i + n) + a[0]; }", {"a": "in 2 * n", "b": "out n"}),
    "rows": (
        """void rows(int n, int m, const float* in, const float* gain, float* out) {
             auto mean = [m](const float* row) { float s = 0; for (int k = 0; k < m; k++) s += row[k]; return s / m; };
             auto scale = [&](const float* row, float* to, float by) { for (int k = 0; k < m; k++) to[k] = gain[k] * row[k] * by; };
             for (int i = 0; i < n; i++) scale(&in[i * m], out + i * m, mean(in + i * m)); }""",
        {"in": "in n m", "gain": "in m", "out": "out n m"},
    ),
    "captured": (
        "void captured(int n, int m, const float* x, float* y) { const int half = m / 2; for (int i = 0; i < n; i++) { const float* row = x + i * m;"
        " auto at = [=](int k) { return row[k + half]; }; float s = 0; for (int k = 0; k < m - half; k++) s += at(k); y[i] = s; } }",
        {"x": "in n m", "y": "out n"},
    ),
    "counted": (
        "void counted(int n, const unsigned char* in, int* out) { int* c = (int*)calloc(256, sizeof(int)); for (int i = 0; i < n; i++) c[in[i]]++;"
        " memcpy(out, c, 256 * sizeof(int)); free(c); }",
        {"in": "in n", "out": "out 256"},
    ),
    "binned": ("void binned(int n, int bins, const int* key, float* out) { auto c = std::make_unique<float[]>(bins); for (int i = 0; i < n; i++) c[key[i]] += 1; for (int b = 0; b < bins; b++) out[b] = c[b]; }", {"key": "in n", "out": "out bins"}),
    "relaxed": (
        "void relaxed(int n, int t, float* u) { float* v = (float*)malloc(sizeof *v * n); for (int s = 0; s < t; s++) {"
        " for (int i = 1; i < n - 1; i++) v[i] = u[i - 1] + u[i + 1]; v[0] = v[n - 1] = 0; std::copy(v, v + n, u); } free(v); }",
        {"u": "inout n"},
    ),
    "exchanged": ("void exchanged(int n, float* a) { for (int i = 0; i + 1 < n; i += 2) std::swap(a[i], a[i + 1]); }", {"a": "inout n"}),
    "mapped": ("void mapped(int n, const float* a, const float* b, float* c) { std::transform(a, a + n, b, c, [](float x, float y) { return x * y; }); }", {"a": "in n", "b": "in n", "c": "out n"}),
    "macros": (
        "void macros(int n, int m, const float* a, float* b) {\n#define AT(p, i, k) p[(i) * m + (k)]\n#ifdef FAST\n b[n * m] = 1;\n#endif\n for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) AT(b, i, k) = AT(a, k, i);\n#undef AT\n}",
        {"a": "in m * m + n - m", "b": "out n m"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STYLES)
def test_extents_and_roles(tmp_path, name):
    code, expected = STYLES[name]
    found = described(infer(tmp_path, HEAD + code).task)
    assert {array: found[array] for array in expected} == expected


@pytest.mark.parametrize("name", ["rows", "binned"])
def test_every_guess_holds_when_it_runs(tmp_path, name):
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    first, second = outputs(infer(tmp_path, HEAD + STYLES[name][0]).task, tmp_path)
    assert first == second and first


def test_what_index_arrays_hold_stays_inside_memory_that_is_made(tmp_path):
    task = infer(tmp_path, HEAD + STYLES["binned"][0]).task
    assert str(task.args[2].init.parameters["high"]) == "bins"


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("void f(int n, const int* k, float* y) { float* c = (float*)malloc(n); for (int i = 0; i < n; i++) c[k[i]] = 1; y[0] = c[0]; }", "of unknown length"),
        ("void f(int n, const float* x, float* y) { std::for_each(y, y + n, [&](float& v) { v = x[n]; }); }", "used in a lambda"),
        ("void f(int n, const float* x, float* y) { int k = 0; auto at = [&]() { return x[k]; }; for (int i = 0; i < n; i++) { y[i] = at(); k += i; } }", "'k'"),
    ],
)  # fmt: skip
def test_what_is_not_followed_is_named(tmp_path, code, word):
    with pytest.raises(TaskError) as refused:
        infer(tmp_path, HEAD + code)
    assert word in str(refused.value)
