"""Loops whose bounds data choose within known ones: over all of these where that gives threads, with the source's turns alone."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine

from ..judging import steps
from ..native.native_bench import Pair, native_differences

HEAD = (
    "// shape: at = m\n// shape: a = n\n// shape: x = n\n// shape: y = n\n// init: at = ints(-n - 2, n + 3)\n"
    "// check: n=0, m=3; n=3, m=0; n=1, m=5; n=2, m=7; n=33, m=9; n=300, m=20\n"
)
EACH = "for (int d = 0; d < m; ++d)"
SHIFT = "const int s = at[d]; const int from = std::max(0, -s), to = std::min(n, n - s);"
TERM = "y[i] += a[i] * x[i + s];"
WIDE = {
    "diagonals": f"{EACH} {{ {SHIFT} for (int i = from; i < to; ++i) {TERM} }}",
    "in the header": f"{EACH} {{ const int s = at[d]; for (int i = std::max(0, -s); i < std::min(n, n - s); ++i) {TERM} }}",
    "up to the last": f"{EACH} {{ {SHIFT} for (int i = from; i <= to - 1 && i <= n - 1; ++i) {TERM} }}",
    "choices": f"{EACH} {{ const int s = at[d], from = s < 0 ? -s : 0, to = n - s > n ? n : n - s;"
    f" for (int i = from < 0 ? 0 : from; i < to; ++i) {TERM} }}",
    "one end": f"{EACH} {{ const int s = at[d]; for (int i = 0; i < std::min(s, n); ++i) y[i] = 0.5f * y[i] + d; }}",
    "two ends": f"{EACH} {{ const int s = at[d]; for (int i = 0; i < n && i < s; ++i) y[i] = 0.5f * y[i] + d; }}",
    "nested": f"{EACH} {{ const int s = at[d]; const int from = std::max(std::min(s, n - 1), 0);"
    " for (int i = from; i < std::max(std::min(n, s + 5), 0); ++i) y[i] = 0.5f * y[i] + d; }",
    "a wider variable": f"{EACH} {{ {SHIFT} for (long long i = from; i < to; ++i) {TERM} }}",
    "behind a condition": f"{EACH} {{ if (at[d] % 3 == 0) continue; {SHIFT} for (int i = from; i < to; ++i) {TERM} }}",
    "data read behind a condition": f"{EACH} if (at[d] > 1) for (int i = 0; i < n && i < at[at[d] % m]; ++i) y[i] = 0.5f * y[i] + d;",
    "a size that is no end": f"{EACH} {{ {SHIFT} for (int i = std::max(from, 1); i < std::min(n - 1, to); ++i) {TERM} }}",
}
STAYS = {
    "no lower bound": f"{EACH} {{ const int s = at[d]; for (int i = n + s; i < n; ++i) if (i >= 0) y[i] = 0.5f * y[i] + d; }}",
    "no upper bound": f"{EACH} {{ const int s = at[d]; for (int i = 0; i < s; ++i) if (i < n) y[i] = 0.5f * y[i] + d; }}",
    "one of two": f"{EACH} {{ const int s = at[d]; for (int i = std::min(0, s); i < n; ++i) if (i >= 0) y[i] = 0.5f * y[i] + d; }}",
    "it wraps": f"{EACH} {{ const unsigned s = at[d] + n + 2; for (unsigned i = std::max(0u, s - 3); i < std::min((unsigned)n, s); ++i)"
    " y[i] = 0.5f * y[i] + d; }",
    "narrowed": f"{EACH} {{ const short from = std::max(0, at[d]); for (int i = from; i < n; ++i) if (i >= 0) y[i] = 0.5f * y[i] + d; }}",
    "a bound that changes": f"{EACH} {{ int from = std::max(0, at[d]); if (a[0] > 0) from = n / 2;"
    " for (int i = from; i < n; ++i) y[i] = 0.5f * y[i] + d; }",
    "a bound that turns change": f"{EACH} {{ for (int i = std::max(0, at[d]); i < n; ++i) {{ y[i] = 0.5f * y[i] + d; at[d] = 0; }} }}",
    "steps": f"{EACH} {{ const int s = at[d]; for (int i = std::max(0, s); i < n; i += 2) y[i] = 0.5f * y[i] + d; }}",
    "a break": f"{EACH} {{ {SHIFT} for (int i = from; i < to; ++i) {{ if (y[i] > 2) break; {TERM} }} }}",
    "turns that meet": f"{EACH} {{ {SHIFT} for (int i = from; i < to; ++i) y[i] += y[i + s]; }}",
    "threads around": "for (int d = 0; d < n; ++d) { const int s = x[d] * n; for (int i = std::max(0, s); i < n; ++i) y[d] += a[i]; }",
}


def task_of(make_task, body: str):
    parameters = "int n, int m, int* at, const float* a, const float* x, float* y"
    return make_task(f"#include <algorithm>\n{HEAD}void f({parameters}) {{\n{body}\n}}", "f")


@pytest.mark.parametrize("name", WIDE)
def test_bounds_within_known_ones_keep_no_loop_from_being_threads(name, make_task):
    (nest,) = analyse(task_of(make_task, WIDE[name])).nests
    assert nest.parallel == ["i"]
    assert nest.host_loops == ()


@pytest.mark.parametrize("name", STAYS)
def test_where_they_are_not_known_to_be_the_loop_stays_as_it_is(name, make_task):
    nests = analyse(task_of(make_task, STAYS[name])).nests
    assert all("i" not in nest.parallel for nest in nests)


def test_all_of_them_are_right(make_task):
    engine = Engine()
    tasks = [task_of(make_task, body) for body in [*WIDE.values(), *STAYS.values()]]
    pairs = [Pair(task, engine.text(task, steps(engine, task, []))) for task in tasks]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].task.reference.source.text, pairs[k].source) for k, said in wrong.items()][:1]


def test_they_are_right_on_the_emulated_device(make_task, bench):
    engine, task = Engine(), task_of(make_task, WIDE["diagonals"])
    source = engine.text(task, steps(engine, task, []))
    assert bench.differences(task, source) == [], source
