"""Which loops may run in parallel: decided by isl from the accesses, and never too much."""

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.analyse import analyse
from regrapht.transform.plan.nest import Kind


def analysis_of(make_task, body: str, head: str = ""):
    notes = "// shape: a = n * n\n// shape: b = n * n\n// check: n=4,m=3\n"
    text = f"{notes}{head}void f(int n, int m, const float* a, float* b) {{\n{body}\n}}"
    return analyse(make_task(text, "f"))


def nests_of(make_task, body: str, head: str = ""):
    return analysis_of(make_task, body, head).nests


@pytest.mark.parametrize(
    ("body", "parallel"),
    [
        ("for (int i = 0; i < n; i++) b[i] = a[i];", ["i"]),
        ("for (int i = 1; i < n; i++) b[i] = b[i - 1];", []),
        ("for (int i = 0; i < n; i++) b[2 * i] = b[2 * i + 1];", ["i"]),
        ("for (int i = 0; i < n; i++) b[i] = b[n - 1 - i];", []),
        ("for (int i = 0; i < n; i++) b[i / 2] = a[i];", []),
        ("for (int i = 0; i < n; i++) b[(int)a[i]] = b[i] + 1;", []),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i * n + j] = a[j * n + i];", ["i", "j"]),
        ("for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) b[i * n + j] = b[(i - 1) * n + j];", ["j"]),
        ("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) b[i * n + j] = 1;", ["i", "j"]),
        ("for (int i = 0; i < n; i++) { float t = a[i]; b[i] = t; }", ["i"]),
        ("float t = 0; for (int i = 0; i < n; i++) { t = t * 0.5f + a[i]; b[i] = t; }", []),
        ("for (int i = n - 1; i >= 0; i--) b[i] = a[i];", ["i"]),
        ("for (int i = 0; i < n; i += 3) { b[i] = 1; b[i + 1] = 2; b[i + 2] = 3; }", ["i"]),
        ("for (int i = 0; i < n; i += 2) { b[i] = 1; b[i + 2] = 2; }", []),
    ],
)
def test_parallel_loops(body, parallel, make_task):
    nests = nests_of(make_task, body)
    assert nests[-1].parallel == parallel


def test_rows_that_may_overlap_are_separate_where_the_task_requires_it(make_task):
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i * n + j] = 1;"
    unknown, required = analysis_of(make_task, body), analysis_of(make_task, body, "// require: m <= n\n")
    assert unknown.guard is not None  # a test when the program runs
    assert required.guard is None and required.nests[0].parallel == ["i", "j"]


def test_a_negative_quotient_is_not_taken_for_a_floor(make_task):
    text = "for (int i = 0; i < n; i++) for (int d = -1; d <= 1; d++) b[(i + d) / 2 + 1] = 1;"
    assert nests_of(make_task, text)[0].parallel == []


def test_float_scatter_has_atomics_only_where_results_may_vary(make_task):
    head = "// shape: h = n\n// shape: w = n\n// shape: key = n\n// check: n=4\n"
    body = "void f(int n, const int* key, const float* w, float* h) { for (int i = 0; i < n; i++) h[key[i]] += w[i]; }"
    (fixed,) = analyse(make_task(head + body, "f")).nests
    (varying,) = analyse(make_task(head + "// nondeterministic\n" + body, "f")).nests
    assert fixed.kind is Kind.COPIES and fixed.reduced == ["i"]
    assert varying.kind is Kind.SCATTER


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("for (int i = 0; i < n; i++) for (int d = 0; d < 3; d++) h[3 * key[i] + d] += w[i];", Kind.COPIES),
        ("for (int i = 0; i < n; i++) { count[key[i]] += 1; h[key[i]] += w[i]; }", Kind.COPIES),
        ("for (int i = 0; i < n; i++) h[key[i]] += w[i] * h[0];", Kind.SERIAL),  # what it reads is not the copy
        ("for (int i = 0; i < n; i++) h[key[i]] *= w[i];", Kind.SERIAL),
        ("for (int i = 0; i < n; i++) if (h[key[i]] < w[i]) h[key[i]] = w[i];", Kind.SCATTER),  # whatever the order
        ("for (int i = 0; i < 40; i++) h[key[i]] += w[i];", Kind.SERIAL),  # few turns
    ],
)
def test_sums_of_floats_at_elements_that_data_choose(make_task, body, kind):
    head = "// shape: h = n\n// shape: w = n\n// shape: key = n\n// shape: count = n\n// check: n=40\n"
    (nest,) = analyse(
        make_task(f"{head}void f(int n, const int* key, const float* w, float* h, int* count) {{ {body} }}", "f")
    ).nests
    assert nest.kind is kind


def test_a_sequential_outer_loop_stays_in_the_launcher(make_task):
    body = "for (int t = 0; t < m; t++) for (int i = 1; i < n; i++) b[i] = b[i] * 0.5f + a[i - 1];"
    (nest,) = nests_of(make_task, body)
    assert nest.parallel == ["i"]


@pytest.mark.parametrize(
    ("inner", "host_loops"),
    [
        ("for (int k = 0; k < 4; k++) b[k] += a[i] * k;", []),
        ("float s = 0; for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) s += a[y + 1] * x; b[0] = s;", []),
        ("for (int k = i; k < i + 8; k++) b[k] += a[k];", []),
        ("for (int r = 0; r < m; r++) { b[1] = b[1] * 0.5f; for (int k = 0; k < 4; k++) b[k] += a[r] * k; }", []),
        ("for (int k = 0; k < n; k++) b[k] += a[i] * k;", ["i"]),
        ("for (int k = 0; k < 1000; k++) b[k] += a[i] * k;", ["i"]),
        ("for (int k = 0; k < 4; k++) for (int j = k; j < n; j++) b[k * n + j] += a[i] * j;", ["i"]),
        ("for (int k = 0; k < 4; k++) for (int j = 0; j * j < n; j++) b[k] += a[i] * j;", ["i"]),
    ],
)
def test_a_few_turns_are_not_worth_a_launch(inner, host_loops, make_task):
    nests = nests_of(make_task, f"for (int i = 0; i < n; i++) {{ b[0] = b[0] * 0.5f; {inner} }}")
    assert {name for nest in nests for name in nest.host_loops} == set(host_loops)
    assert all(nest.kind is Kind.SERIAL for nest in nests) == (not host_loops)


def test_short_loops_run_in_the_thread_that_runs_the_loop_around_them(make_task, bench):
    text = """// shape: a = n
// shape: b = 4
// check: n=1; n=37
void f(int n, const float* a, float* b) {
    for (int i = 0; i < n; i++) {
        float part[4];
        for (int k = 0; k < 4; k++) part[k] = a[i] * k + b[3];
        for (int k = 0; k < 4; k++) b[k] = 0.5f * b[k] + part[3 - k];
    }
}"""
    task = make_task(text, "f")
    source = TransformProposer().plain(task).source
    assert source is not None and source.count("<<<") == 1
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i * i < n; i++) b[i] = 1;",
        "for (int i = 0; i < n; i++) { if (b[0] > 0) break; b[i] = 1; }",
        "int i = 0;\nwhile (a[i] < n) { b[i] = 1; i += 2; }",
        "if (a[0] > 0) for (int i = 0; i < a[0]; i++) b[i] = 1;",
    ],
)
def test_what_is_not_affine_makes_no_nest(body, make_task):
    assert nests_of(make_task, body) == []
