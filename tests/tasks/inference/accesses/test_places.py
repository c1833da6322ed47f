# ruff: noqa: E501 -- one function a line
"""Inference where pointers have offsets, move, are set anew and handed on: extents hold all that is touched, or the code is refused by name."""

import shutil

import pytest

from regrapht.errors import TaskError

from ...test_infer import described, infer, outputs

SPLIT = {
    "start_before": ("void start_before(int n, const float* a, float* b) { int i = 0; for (; i < n; i += 1) b[i] = a[i]; }", {"a": "in n", "b": "out n"}),
    "start_before_step": ("void start_before_step(int n, const float* a, float* b) { int i = 0; for (; i < n; i++) b[i] = a[i]; }", {"a": "in n", "b": "out n"}),
    "start_assigned": ("void start_assigned(int n, const float* a, float* b) { int i; i = n - 1; for (; i >= 0; i -= 1) b[i] = a[i]; }", {"a": "in n", "b": "out n"}),
    "start_in_a_loop": (
        "void start_in_a_loop(int n, int m, const float* a, float* b) { int i = 0, j; while (i < n) { j = 0; for (; j < m; j += 1) b[i * m + j] = a[j * n + i]; i += 1; } }",
        {"a": "in m n", "b": "out n m"},
    ),
    "two_runs": ("void two_runs(int n, const float* a, float* b) { int i = 0; for (; i < n; i += 1) b[i] = a[i]; i = 1; for (; i < n; i += 1) b[i] += b[i - 1]; }", {"a": "in n", "b": "out n"}),
    "in_fours": (
        """void in_fours(int n, const float* x, float* y) { int i = 0;
             for (; i + 4 <= n; i += 4) { const float* p = x + i; float* q = &y[i]; q[0] = p[0]; q[1] = p[1]; q[2] = p[2]; q[3] = p[3]; }
             for (; i < n; i++) y[i] = x[i]; }""",
        {"x": "in n", "y": "out n"},
    ),
    "windows": (
        """void windows(int n, int wide, const float* x, float* y) { for (int i = 0; i + wide <= n; i++) {
             float s = 0; for (int k = 0; k < wide; k++) s += x[i + k]; y[i] = s; } }""",
        {"x": "in n", "y": "out n + 1 - wide"},
    ),
    "behind_the_loop": ("void behind_the_loop(int n, const float* a, float* b) { int i = 0; for (; i < n; i += 1) b[i] = a[i]; b[i] = 1; }", {"a": "in n", "b": "out n + 1"}),
    "counted_down_unsigned": ("void counted_down_unsigned(unsigned n, const float* a, float* b) { for (unsigned i = n - 1; i < n; i--) b[n - 1 - i] = a[i]; }", {"a": "in n", "b": "out n"}),
    "searched": ("int searched(int n, const float* x) { int i = 0; while (i < n && x[i] < 2.0f) i++; return i; }", {"x": "in n"}),
}  # fmt: skip

POINTERS = {
    "offset_address": (
        "void offset_address(int n, int m, int off, const float* a, float* b) { for (int k = 0; k < n; k++) { const float* p = &a[off + k]; float s = 0; for (int j = 0; j < m; j++) s += p[j]; b[k] = s; } }",
        {"a": "in m + n + off - 1", "b": "out n"},
    ),
    "set_each_turn": (
        "void set_each_turn(int m, int n, const float* a, float* b) { const float* p = a; for (int row = 0; row < m; row++) { p = a + row * n; float s = 0; for (int j = 0; j < n; j++) s += p[j]; b[row] = s; } }",
        {"a": "in m n", "b": "out m"},
    ),
    "lagged": (
        "void lagged(int n, int lag, const float* x, float* y) { const float* now = x + lag; for (int i = 0; i < n; i++) { const float* past = now - lag; y[i] = now[i] - past[i] + now[i - lag]; } }",
        {"x": "in lag + n", "y": "out n"},
    ),
    "three_rows": (
        """void three_rows(int h, int w, const float* u, float* v) {
             for (int y = 1; y < h - 1; y++) { const float *mid = u + y * w, *up = mid - w, *down = mid + w; float* to = v + y * w;
               for (int x = 1; x < w - 1; x++) to[x] = up[x] + down[x] + mid[x - 1] + mid[x + 1] - 4 * mid[x]; } }""",
        {"u": "in h w", "v": "inout h w"},
    ),
    "reversed": (
        "void reversed(unsigned n, const float* x, float* y) { const float* last = x + n - 1; for (unsigned i = n; i-- > 0;) y[i] = last[-(int)i] + x[n - 1 - i]; }",
        {"x": "in n", "y": "out n"},
    ),
    "every_third": (
        "void every_third(int n, const float* x, float* y) { const float* p = x + 2; int i = 0; for (; i < n; i += 1) { y[i] = *p + p[-2]; p += 3; } }",
        {"x": "in n 3", "y": "out n"},
    ),
    "rows_in_helpers": (
        """static float dot(const float* a, const float* b, int n) { float s = 0; int i = 0; for (; i < n; i += 1) s += a[i] * b[i]; return s; }
           static void pair(const float* rows, int k, int n, float* out) { const float* mine = rows + k * n; out[0] = dot(mine, rows, n); out[1] = dot(&mine[n], rows + n, n); }
           void rows_in_helpers(int m, int n, const float* a, float* out) { for (int k = 0; k < m; k++) pair(a, k, n, out + 2 * k); }""",
        {"a": "in m + 1 n", "out": "inout m 2"},
    ),
    "first_row_apart": (
        """static float sum(const float* p, int n) { float s = 0; for (int j = 0; j < n; j++) s += p[j]; return s; }
           void first_row_apart(int m, int n, const float* a, float* b) { b[0] = a[0]; for (int i = 1; i < m; i++) b[i] = sum(a + i * n, n); }""",
        {"a": "in m n", "b": "out m"},
    ),
    "planes": (
        """void planes(int d, int h, int w, const float* in, float* out) { const float* plane; const float* row;
             for (int z = 0; z < d; z++) { plane = in + z * h * w;
               for (int y = 0; y < h; y++) { row = &plane[y * w]; float s = 0; for (int x = w - 1; x >= 0; x--) s = s * 0.5f + row[x]; out[z * h + y] = s; } } }""",
        {"in": "in d h w", "out": "out d h"},
    ),
    "two_halves": (
        """void two_halves(int n, const float* x, float* y) { const float* p = x; float* q = y;
             for (int i = 0; i < n; i++) q[i] = p[i];
             p = x + n; q = y + n;
             for (int i = 0; i < n; i++) q[i] = 2 * p[i]; }""",
        {"x": "in 2 * n", "y": "out 2 * n"},
    ),
    "moved_in_the_head": (
        "void moved_in_the_head(int n, const unsigned char* rgba, float* grey) { grey[0] = rgba[0]; for (const unsigned char* p = rgba; n > 0; n--, p += 4) *grey++ = 0.3f * p[0] + 0.6f * p[1] + 0.1f * p[2]; }",
        {"rgba": "in 4 * n - 1", "grey": "out n"},
    ),
    "references": (
        "void references(int n, int m, const float* a, float* s) { for (int i = 0; i < n; i++) { float& sum = s[i]; sum = 0; auto row = a + i * m; for (int j = 0; j < m; j++) sum += row[j] + a[j]; } }",
        {"a": "in n m", "s": "inout n"},
    ),
    "triangle_rows": (
        "void triangle_rows(int n, const float* a, float* b) { for (int i = 0; i < n; i++) { const float* r = a + i * (i + 1) / 2; float s = 0; for (int j = 0; j <= i; j++) s += r[j]; b[i] = s; } }",
        {"a": "in ((n * n - n) // 2) + n", "b": "out n"},
    ),
    "guarded_rows": (
        """void guarded_rows(int h, int w, const float* a, float* b) { for (int y = 0; y < h; y++) { const float* r = a + y * w;
             for (int x = 0; x < w; x++) { b[y * w + x] = r[x]; if (y + 1 < h) b[y * w + x] += r[x + w]; if (y > 0) b[y * w + x] += r[x - w]; } } }""",
        {"a": "in h w", "b": "out h w"},
    ),
    "farthest_of_many": (
        "void farthest_of_many(int j, int k, int l, const float* a, float* b) { b[0] = a[j] + a[k] + a[l] + a[j * k] + a[k * l] + a[j]; }",
        {"a": "in max(j * k + 1, k * l + 1)", "b": "out 1"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SPLIT, *POINTERS])
def test_extents_hold_every_access(tmp_path, name):
    """At every check shape the function stays inside the guessed extents, under the compiler's sanitizers."""
    code, expected = (SPLIT | POINTERS)[name]
    task = infer(tmp_path, code, entry=name).task
    assert {arg: text for arg, text in described(task).items() if arg in expected} == expected
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    first, second = outputs(task, tmp_path)
    assert first == second


ONE_ROW = "void f(int n, const float* a, float* b) {\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (ONE_ROW + " for (int i = 0; i < n; i++) b[i] = a[-i];\n}", "'a[-i]', which lies before the first element"),
        (ONE_ROW + " const float* p = n > 3 ? a + n : a;\n for (int i = 0; i < n; i++) b[i] = a[i] + p[i];\n}", "the pointer 'a'"),
        (ONE_ROW + " const float* p = a;\n if (n > 3) p = a + n;\n for (int i = 0; i < n; i++) b[i] = p[i];\n}", "the pointer 'p', which is set"),
        (ONE_ROW + " const float* p = a;\n const float*& q = p;\n q += n;\n for (int i = 0; i < n; i++) b[i] = p[i];\n}", "the pointer 'p'"),
        (ONE_ROW + " b[0] = a[0];\n if (const float* p = a + n) b[0] += p[n];\n}", "the pointer 'a'"),
        (ONE_ROW + " std::for_each(b, b + n, [&](float& v) { v = a[n]; });\n b[0] = a[0];\n}", "'a', used in a lambda"),
        ("#define AT(i, k) a##k[(i) + n]\n#define IT a\n" + ONE_ROW + " for (int i = 0; i < n; i++) b[i] = a[i] + IT[i + n];\n}", "the macro 'IT', which uses 'a'"),
        (ONE_ROW + " b[0] = a[0];\n memcpy(&b[0], &a[0], n * 4);\n}", "handed to 'memcpy'"),
        (ONE_ROW + " const int* p = reinterpret_cast<const int*>(a + n);\n b[0] = a[0] + p[n];\n}", "handed to 'reinterpret_cast'"),
        ("static void next(int& k) { k += 5; }\n" + ONE_ROW + " for (int i = 0; i < n; i++) { int k = i; next(k); b[i] = a[k]; }\n}", "'k', which 'next' may change"),
        ("static void next(int* k) { *k += 5; }\n" + ONE_ROW + " for (int i = 0; i < n; i++) { int k = i; next(&k); b[i] = a[k]; }\n}", "'k', which changes its value"),
        (ONE_ROW + " const float* p = a;\n for (int i = 0; i < n; i++) { if (*p > 3) break; p++; }\n b[0] = *p;\n}", "'p', moved by a loop that may be left early"),
        (ONE_ROW + " float* q = b;\n for (int i = 0; i < n; i++) for (int j = i; j < n; j++) *q++ = a[j];\n}", "'q', which moves by less in later turns"),
        (ONE_ROW + " const float* p = a;\n for (int i = 0; i < n && *p > 0; i++) p++;\n b[0] = 1;\n}", "in the head of the loop that moves it"),
        (ONE_ROW + " int m = 9;\n for (int i = 0; i < n || i < m; i++) b[i] = a[0];\n}", "does not compare its variable"),
        (ONE_ROW + " for (int k : {1, 2, 3}) *b++ = a[0];\n}", "a loop without start or condition"),
        (ONE_ROW + " int i = 0;\n again: b[i] = a[i];\n i++;\n if (i < n) goto again;\n}", "a loop made by 'goto again;'"),
    ],
)  # fmt: skip
def test_a_reach_that_cannot_be_derived_is_refused_by_name(tmp_path, code, words):
    with pytest.raises(TaskError) as caught:
        infer(tmp_path, code, entry="f")
    assert words in str(caught.value) and "task.toml" in str(caught.value)


LONG = " * ".join(f"(n + {3 + 2 * k} * m + {5 + k} * l + {2 + k})" for k in range(12))


@pytest.mark.parametrize(
    "code",
    [
        f"void f(int n, int m, int l, float* b) {{ for (int i = 0; i < {LONG}; i++) b[i] = 1; }}",
        f"void f(int n, int m, int l, const float* a, float* b) {{ for (int i = 0; i < n; i++) b[i] = a[i * {LONG}]; }}",
        f"void f(int n, int m, int l, const float* a, float* b) {{ b[0] = a[{LONG}]; }}",
        "void f(int n, "
        + ", ".join(f"const float* input_number_{k}" for k in range(40))
        + ", float* b) { for (int i = 0; i < n * n + 1; i++) b[i] = "
        + " + ".join(f"input_number_{k}[i]" for k in range(40))
        + "; }",
    ],
    ids=["turns", "stride", "extent", "bytes"],
)
def test_a_formula_that_is_too_long_is_an_error_of_the_task(tmp_path, code):
    with pytest.raises(TaskError, match=r"longer than 500 characters .*task\.toml"):
        infer(tmp_path, code)


def test_a_kernel_is_bounded_by_the_widest_of_its_comparisons(tmp_path):
    code = """
    __global__ void kernel(int n, const float* a, float* b) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        b[i] = a[i];
        if (i < 1) b[i] += 1.0f;
    }
    extern "C" void launch(int n, const float* a, float* b) { kernel<<<(n + 255) / 256, 256>>>(n, a, b); }
    """
    found = described(infer(tmp_path, code, suffix=".cu").task)
    assert (found["a"], found["b"].split()[1]) == ("in n", "n")


RANGES = {
    "filled": ("void filled(int n, int m, float* y) { std::fill(y, y + n * m, 0.0f); for (int i = 0; i < n; i++) y[i] += 1; }", {"y": "out m * n"}),
    "cleared": ("void cleared(int n, const float* x, float* y) { std::memset(y, 0, n * sizeof(float)); for (int i = 0; i < n; i++) y[i / 2] += x[i]; }", {"x": "in n"}),
    "moved_by_one": ("void moved_by_one(int n, const double* x, double* y) { memcpy(y + 1, x, sizeof(double) * n); y[0] = 0; }", {"x": "in n", "y": "inout n + 1"}),
    "bytes": ("void bytes(int n, const char* x, char* y) { memcpy(y, x, n); }", {"x": "in n", "y": "out n"}),
    "rows": ("void rows(int n, int m, const float* x, float* y) { for (int i = 0; i < n; i++) std::copy(x + i * m, x + (i + 1) * m, y + i * m); }", {"x": "in n m", "y": "inout n m"}),
    "read_by_a_vector": ("void read_by_a_vector(int n, const float* x, float* y) { std::vector<float> v(x, x + 2 * n); for (int i = 0; i < n; i++) y[i] = v[i] + x[i]; }", {"x": "in 2 * n", "y": "out n"}),
    "from_a_vector": ("void from_a_vector(int n, int m, const float* x, float* y) { std::vector<float> v(n * m); for (int i = 0; i < n; i++) v[i] = x[i]; std::copy(v.begin(), v.end(), y); }", {"x": "in n", "y": "out m * n"}),
    "sized": ("void sized(int n, int m, const float* x, float* y) { std::vector<float> v(n * m), w(x, x + n); for (size_t i = 0; i < v.size(); i++) v[i] = x[i]; for (size_t i = 0; i < w.size(); ++i) y[i] = v[i] + w[i]; }", {"x": "in m * n", "y": "out n"}),
    "multiplied": ("double multiplied(int n, const double* a, const double* b) { return std::inner_product(a, a + n, b, 0.0); }", {"a": "in n", "b": "in n"}),
    "swapped": ("void swapped(int n, int* x, int* y) { std::swap_ranges(x, x + n, y); }", {"x": "inout n", "y": "inout n"}),
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "terms"),
    [("std::accumulate(a, a + n, 0.0f)", "n"), ("std::inner_product(a, a + n * m, a, 0.0f)", "m * n")],
)
def test_a_sum_over_a_range_has_its_terms(tmp_path, call, terms):
    found = infer(tmp_path, f"#include <numeric>\nfloat f(int n, int m, const float* a) {{ return m + {call}; }}").task
    assert found.tolerance.reduction_length.text == terms


@pytest.mark.parametrize("name", RANGES)
def test_ranges_reach_to_their_last_element(tmp_path, name):
    code, expected = RANGES[name]
    found = infer(tmp_path, f"#include <algorithm>\n#include <cstring>\n#include <vector>\n{code}", entry=name).task
    for arg, text in expected.items():
        assert described(found)[arg] == text


def test_the_length_of_a_range_is_no_number_of_repetitions(tmp_path):
    code = """#include <algorithm>
void steps(int n, int turns, const float* x, float* y) {
    std::vector<float> now(x, x + n);
    for (int t = 0; t < turns; t++)
        for (int i = 1; i < n; i++) now[i] += now[i - 1];
    std::copy(now.begin(), now.end(), y);
}"""
    (bench,) = infer(tmp_path, code).task.bench_sizes
    assert bench["n"] >= 2**20 and bench["turns"] == 8


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (ONE_ROW + " memcpy(b, a, n * 4);\n}", "'b', handed to 'memcpy'"),
        (ONE_ROW + " memset(b, 0, n * sizeof(double));\n}", "'b', handed to 'memset'"),
        (ONE_ROW + " std::vector<float> v(a, b);\n b[0] = v[0];\n}", "the pointer in 'v(a, b)'"),
        (ONE_ROW + " std::vector<float> v(a, b + n);\n b[0] = v[0];\n}", "the range in 'v(a, b + n)'"),
        (ONE_ROW + " Thing v(a, n);\n b[0] = v[0];\n}", "the pointer in 'v(a, n)'"),
    ],
)
def test_ranges_without_an_end_are_refused_by_name(tmp_path, code, words):
    with pytest.raises(TaskError) as caught:
        infer(tmp_path, code, entry="f")
    assert words in str(caught.value)
