# ruff: noqa: E501 -- one function a line
"""Styles that the front end brings to another form: the plain version, beside the reference on the emulator."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.analyse import analyse
from regrapht.transform.plan.nest import Kind

HEAD = """// shape: a = n + 8
// shape: b = n + 8
// shape: h = n + 8
// check: n=1; n=2; n=37; n=300
"""
MAP, SERIAL, REDUCE = [Kind.MAP], [Kind.SERIAL], [Kind.REDUCE]
# body -> kinds of its nests, in order; none where one thread runs everything
STYLES = {
    "while_up": ("int i = 0; while (i < n) { b[i] = a[i] + 1; i++; }", MAP),
    "while_used_behind": ("int i = 0; while (i < n) { b[i] = a[i]; i++; } b[i] = i;", MAP),
    "while_step_first": ("int i = -1; while (i + 1 < n) { ++i; b[i] = a[i]; }", MAP),
    "while_with_break": ("int i = 0; while (i < n) { if (a[i] > 1) break; b[i] = 2; i++; } h[0] = i;", [*REDUCE, *MAP]),
    "while_two_tests": ("int i = 0; while (i < n && i < 20) { b[i] = a[i]; i += 1; }", MAP),
    "while_down": ("int left = n; while (left) { b[left] = a[left - 1]; --left; }", MAP),
    "while_counted_test": ("int left = n; while (left-- > 0) b[left] = a[left];", MAP),
    "parameter_counted": ("while (n-- > 0) b[n] = a[n];", MAP),
    "parameter_after": ("n = n / 2; for (int i = 0; i < n; i++) b[i] = 1;", MAP),
    "do_while": ("int i = 0; do { b[i] = a[i]; i++; } while (i < n - 1);", MAP),
    "do_once": ("do { b[0] = a[0]; } while (0);", []),
    "for_ever": ("int i = 0; for (;;) { if (i == n) return; b[i] = a[i]; ++i; }", MAP),
    "for_without_start": ("int i = 1; for (; i < n; ++i) b[i] = a[i];", MAP),
    "for_unequal": ("for (int i = 0; i != n; i++) b[i] = a[i];", MAP),
    "three_counters": ("for (int i = 0, j = 2, k = n; i < n; i++, j++, k--) b[i] = a[j] + k;", MAP),
    "one_behind": ("for (int i = 0, j = n - 1; i < n; j = i++) b[i] = a[j];", SERIAL),
    "walked": ("const float* s = a; float* d = b; for (int i = 0; i < n; i++) *d++ = *s++ * 2;", MAP),
    "walked_parameters": ("for (int i = 0; i < n; i++) { *b = *a; b++; a++; }", MAP),
    "walked_down": ("float* d = b + n; for (int i = 0; i < n; i++) *--d = a[i];", MAP),
    "walked_rows": ("float* d = b; for (int r = 0; r < n / 4; r++) for (int c = 0; c < 4; c++) *d++ = a[r] + c;", MAP),
    "walked_to_the_end": ("float* d = b; for (int i = 0; i < n; i++) *d++ = a[i]; *d = 7;", MAP),
    "walked_sometimes": ("float* d = b; for (int i = 0; i < n; i++) if (a[i] > 0) *d++ = a[i];", SERIAL),
    "kept_place": ("int c = 1; const float* p = a + c; c = 3; for (int i = 0; i < n; i++) b[i] = p[i] + c;", MAP),
    "kept_place_walks": ("float* d = b; float* first = d; for (int i = 0; i < n; i++) *d++ = 1; first[0] = 5;", MAP),
    "packed": ("int used = 0; for (int i = 0; i < n; i++) if (a[i] > 0) b[used++] = a[i];", SERIAL),
    "before_and_behind": ("int j = 0; for (int i = 0; i < n; i++) { b[++j] = a[i]; h[j] = j; }", MAP),
    "moves_in_conditions": ("int j = 0; for (int i = 0; i < n; i++) { if (a[i] > 0 && j++ < 5) b[i] = j; }", SERIAL),
    "moves_in_choices": ("int j = 0, l = 0; for (int i = 0; i < n; i++) b[i] = a[i] > 0 ? a[j++] : a[l++];", SERIAL),
    "assigned_inside": ("float s; for (int i = 0; i < n; i++) { if ((s = a[i]) > 0) b[i] = s; }", MAP),
    "swapped": ("for (int i = 0; i + 1 < n; i += 2) { b[i] = a[i]; b[i + 1] = 2; std::swap(b[i], b[i + 1]); }", MAP),
    "buffers_in_turns": (
        "float *f = b, *t = b + 4; for (int s = 0; s < n; s++) { t[0] = f[0] + 1; float* x = f; f = t; t = x; } h[0] = f[0];",
        SERIAL,
    ),
    "chosen": (
        "for (int i = 0; i < n; i++) switch (i % 4) { case 0: b[i] = 1; break; case 1: case 2: b[i] = 2; break; default: b[i] = 3; }",
        MAP,
    ),
    "filled": ("for (int i = 0; i < n; i++) { float w[5] = {a[i], 2}; b[i] = w[i % 2] + w[4]; }", MAP),
    "continue_inside": (
        "for (int i = 0; i < n; i++) { if (a[i] > 0) { if (a[i] > 1) continue; h[i] = 1; } b[i] = 1; }",
        MAP,
    ),
    "continue_after_more": (
        "for (int i = 0; i < n; i++) { if (a[i] > 0) { h[i] = 4; continue; } else if (a[i] < -1) { continue; } b[i] = 1; }",
        MAP,
    ),
    "continue_with_counters": (
        "for (int i = 0, j = 0; i < n; i++, j++) { if (a[i] > 0) { if (j > 2) continue; h[i] = j; } b[j] = 1; }",
        MAP,
    ),
    "continue_before_the_test": (
        "int i = 0; do { i++; if (a[i] > 0) { if (i > 2) continue; b[0] = 2; } b[i] = 1; } while (i < n);",
        SERIAL,
    ),
    "continue_in_inner_loops": (
        "for (int i = 0; i < n; i++) { b[i] = 0; for (int j = 0; j < 5; j++) { if (a[j] > 0) { if (a[i] > 1) continue; b[i] += 1; } b[i] += 2; } }",
        MAP,
    ),
    "buffers_of_halves": (
        "float *f = b, *g = b + n / 2; for (int s = 1; s < 4; s++) { for (int i = 0; i < n / 2; i++) g[i] = f[i] * 0.5f + s; std::swap(f, g); } for (int i = 0; i < n / 2; i++) h[i] = (int)f[i];",
        [Kind.MAP] * 3,
    ),
    "counter_of_a_triangle": (
        "int c = 7; for (int i = 0; i < n; i++) for (int j = i; j < n; j++) { h[i] += c; c += 1; }",
        REDUCE,
    ),
    "wraps_around": ("unsigned u = 4294967290u; for (int i = 0; i < n; i++) { h[i] = (int)(u >> 1); u++; }", MAP),
    "narrow_wraps": ("unsigned char u = 250; for (int i = 0; i < n; i++) { h[i] = u; u++; }", SERIAL),
    "unused": ("(void)k; for (int i = 0; i < n; i++) b[i] = a[i];", MAP),
    "sum_under_break": ("for (int i = 0; i < n; i++) { if (a[i] > 1) break; h[0] += 1; }", [*REDUCE, *REDUCE]),
    "square_bound": ("for (int i = 0; i * i < n; i++) b[i] = 1;", []),
    "under_a_value": ("if (a[0] > 0) for (int i = 0; i < n; i++) b[i] = 1;", MAP),
    "unsigned_down": ("unsigned left = n; unsigned at = 0; while (left > 0) { b[at] = at; at += 1; left -= 1; }", MAP),
    "reset_counter": ("int c = 0; for (int i = 0; i < n; i++) { b[i] = c; c++; if (c == 3) c = 0; }", SERIAL),
    "nested_counter": (
        "int c = 0; for (int i = 0; i < n / 2; i++) { c += 2; for (int j = 0; j < 2; j++) b[c - 2 + j] = a[i]; }",
        MAP,
    ),
    "counter_again": (
        "int i = 0; while (i < n) { b[i] = 1; i++; } i = 0; while (i < n) { h[i] = 2; i++; }",
        [Kind.MAP, Kind.MAP],
    ),
}
HELPERS = """
enum { FIRST = 1, SECOND, FIFTH = 5, SIXTH };
#define TWICE(x) do { b[x] = a[x]; b[x] += a[x]; } while (0)
static int find(const float* x, int length, float wanted) { for (int i = 0; i < length; i++) if (x[i] == wanted) return i; return -1; }
static int sign(float v) { if (v > 0) { if (v > 1) return 2; } else if (v < 0) return -1; return 0; }
static int deep(const float* x, int m) { for (int i = 0; i < m; i++) { for (int j = 0; j < m; j++) if (x[i] > x[j] + 1) return i * j; } return 99; }
static void fill(float* x, int from, int to, float v) { if (from >= to) return; for (int i = from; i < to; i++) x[i] = v; }
static float last(const float* x, int at) { while (at > 0 && x[at] < 0) at--; return x[at]; }
"""
CALLS = {
    "enumerated": ("for (int i = 0; i < n; i++) b[i] = a[i + SECOND] + FIFTH + SIXTH;", MAP),
    "macro": ("for (int i = 0; i < n; i++) TWICE(i);", MAP),
    "found": ("for (int i = 0; i < n; i++) h[i] = find(a, n, a[n - 1 - i]);", MAP),
    "found_or_not": ("for (int i = 0; i < n; i++) h[i] = i > 3 ? find(a, i, a[2]) : -7;", MAP),
    "signs": ("for (int i = 0; i < n; i++) h[i] = sign(a[i]);", MAP),
    "deep": ("for (int i = 0; i < n; i++) h[i] = deep(a + i, 5);", MAP),
    "filled": ("fill(b, 1, n, 3.0f); fill(b, 0, n / 2, 4.0f);", [Kind.MAP, Kind.MAP]),
    "last": ("for (int i = 0; i < n; i++) b[i] = last(a, i);", MAP),
}


def task_for(make_task, body: str, helpers: str = ""):
    text = f"{HEAD}#include <utility>\n{helpers}void f(int n, float k, const float* a, float* b, int* h) {{\n{body}\n}}"
    return make_task(text, "f")


NAMES = [*STYLES, *(f"{name}()" for name in CALLS)]


def style(name: str, make_task) -> tuple:
    """The task of a style, and the kinds of nests that it has."""
    body, kinds = CALLS[name[:-2]] if name.endswith("()") else STYLES[name]
    return task_for(make_task, body, HELPERS if name.endswith("()") else ""), kinds


@pytest.mark.parametrize("name", NAMES)
def test_the_nests_that_are_found(name, make_task):
    task, kinds = style(name, make_task)
    assert [nest.kind for nest in analyse(task).nests] == kinds


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if place % 9 == 0 else (pytest.mark.slow,)) for place, name in enumerate(NAMES)],
)
def test_it_means_the_same(name, bench, make_task):
    task, _ = style(name, make_task)
    source = TransformProposer().plain(task).source
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("const float* p = a; if (k > 0) p = b; b[0] = p[1];", "depends on what was run before"),
        (
            "const float* p = a; for (int i = 0; i < n; i++) { if (a[i] > 0) p = b; b[i] = *p; }",
            "depends on what was run",
        ),
        ("float* p = b; p++; p = (float*)h; *p = 1;", "no place in an array"),
        ("const float* p = a; p++; p = b; b[2] = *p;", "more than one array"),
        ("int i = 0; b[i++] = a[i];", "reads and changes a variable"),
        ("switch (n) { case 1: b[0] = 1; default: b[1] = 2; }", "runs on into the next"),
        ("float w[2][2] = {a[0], 1, 2, 3}; b[0] = w[n % 2][0];", "nested values"),
        (
            "float *f = b, *t = b + 4; int s = 0; while (s < n) { float* x = f; f = t; t = x; s++; } f[0] = 1;",
            "depends on what",
        ),
        ("unknown(a, b);", "effect that is not known"),
        ("goto done; done: b[0] = 1;", "goto"),
    ],
)
def test_what_is_refused(body, reason, make_task):
    with pytest.raises(CannotTransform) as refused:
        analyse(task_for(make_task, body))
    assert reason in str(refused.value) and refused.value.line


def test_a_helper_that_calls_itself_is_refused(make_task):
    helper = "static int depth(const float* x, int i) { return x[i] > 0 ? 1 + depth(x, i / 2) : 0; }\n"
    with pytest.raises(CannotTransform, match="call themselves"):
        analyse(task_for(make_task, "h[0] = depth(a, n);", helper))


def test_code_that_one_thread_runs_is_named_in_the_header(make_task):
    task = task_for(make_task, "int i = 0; while (a[i] > 0 && i < n) i += h[i] + 1; b[0] = i;")
    assert "runs in one thread" in TransformProposer().plain(task).source
