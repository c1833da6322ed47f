"""Rows whose length data choose, shared by the threads of a block or a warp, and what is not shared."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices

from ..judging import first_now, steps
from ..native.native_bench import Pair, native_differences

RULES = ("block_reduction", "warp_shuffle_reduction")
HEAD = """// shape: first = n + 1
// shape: last = n + 1
// shape: col = m
// shape: a = m
// shape: x = n
// shape: y = n
// shape: z = n
// init: first = ints(0, m)
// init: last = ints(0, m)
// init: col = ints(0, n)
// check: n=1,m=1; n=3,m=2; n=40,m=90; n=25,m=1500
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
"""
FLOATS = "void rows(int n, int m, const int* first, const int* last, const int* col, const float* a, const float* x, float* y, float* z)"
WHOLE = "void rows(int n, int m, const int* first, const int* last, const int* col, const int* a, const int* x, int* y, int* z)"


def text(body: str, head: str = FLOATS) -> str:
    return f"{HEAD}{head} {{\n    for (int i = 0; i < n; i++) {{\n{body}\n    }}\n}}\n"


ROW = "for (int e = first[i]; e < last[i]; e++)"
SUM = f"float s = 0.0f; {ROW} s += a[e] * x[col[e]]; y[i] = s;"
SHARED = {
    "sum": text(SUM),
    "sum of doubles": text(SUM, FLOATS).replace("float", "double").replace("0.0f", "0.0"),
    "guard inside": text(
        f"float s = 0.0f; {ROW} {{ if (col[e] <= i && a[e] > 0.0f) s += a[e]; else s -= 0.5f; }} y[i] = s;"
    ),
    "continue": text(f"float s = 0.0f; {ROW} {{ if (col[e] == i) continue; s += a[e]; }} y[i] = s;"),
    "smallest": text(f"float m = INFINITY; {ROW} {{ const float d = a[e] - x[i]; if (d < m) m = d; }} y[i] = m;"),
    "largest of integers": text(f"int m = INT_MIN; {ROW} m = std::max(m, a[e] + x[col[e]]); y[i] = m;", WHOLE),
    "product": text(f"unsigned int p = 1; {ROW} p *= 2 * col[e] + 3; y[i] = p;", WHOLE),
    "beside a loop without a turn": text(
        f"float s = 0.0f; {ROW} s += a[e]; for (int k = n / 2; k < n / 2; k++) z[i * n + k] = 1; y[i] = s;"
    ),
    "two at once": text(f"float s = 0.0f; int k = 0; {ROW} {{ s += a[e]; if (a[e] < 0.0f) k++; }} y[i] = s; z[i] = k;"),
    "one after the other": text(
        f"float s = 0.0f; {ROW} s += a[e]; float d = 0.0f; {ROW} d += (a[e] - s) * (a[e] - s); y[i] = d; z[i] = s;"
    ),
    "bounds from locals": text(
        "int low = first[i], high = std::min(last[i] + 3, m); if (low > 5) low -= 5;\n"
        "float s = 0.0f; for (int e = low; e < high; e++) s += a[e]; y[i] = s;"
    ),
    "in memory": text(f"y[i] = x[i]; {ROW} y[i] += a[e]; z[i] = 2.0f * y[i];"),
    "read before and after": text(
        f"float s = y[i]; {ROW} s += a[e]; y[i] = s; const float t = y[i] + s; z[i] = t * 0.5f;"
    ),
    "in a local array": text(
        f"int s[2]; s[0] = 0; {ROW} s[0] += a[e]; int t = 0; {ROW} t += a[e] * s[0]; y[i] = t;", WHOLE
    ),
    "under a condition": text(f"float s = 1.0f; if (x[i] > 0.0f) {{ {ROW} s += a[e]; z[i] = s; }} y[i] = s;"),
    "steps of three": text("int s = 0; for (int e = first[i] + 1; e <= last[i] - 1; e += 3) s += e; y[i] = s;", WHOLE),
    "from zero": text("int s = 0; for (int e = 0; e < last[i]; e += 2) s += a[e]; y[i] = s;", WHOLE),
    "both ends": text("int s = 0; for (int e = 0; last[i] > e && e < first[i]; e++) s += a[e]; y[i] = s;", WHOLE),
    "without a sign": text(
        "int s = 0; for (unsigned e = first[i]; e < (unsigned)last[i]; e++) s += a[e]; y[i] = s;", WHOLE
    ),
    "signs mixed": text("int s = 0; for (int e = first[i] - 9; e < (unsigned)last[i]; e++) s += e; y[i] = s;", WHOLE),
    "from below zero": text("int s = 0; for (long long e = -first[i]; e < last[i]; e++) s += (int)e; y[i] = s;", WHOLE),
    "counted in size_t": text(
        "int s = 0; for (size_t e = first[i]; e < (size_t)last[i]; e++) s += a[e]; y[i] = s;", WHOLE
    ),
    "a loop inside": text(
        f"int s = 0; {ROW} {{ int k = 0; for (int j = col[e]; j < n; j++) {{ if (x[j] > 9) break; k += x[j]; }} s += k; }} y[i] = s;",
        WHOLE,
    ),
    "inside of another": text(
        f"int t = i, s = 0; while (t > 0) {{ int k = 0; {ROW} k += a[e] ^ t; s = s / 2 + k; t /= 3; z[i] = k; }} y[i] = s;",
        WHOLE,
    ),
    "empty by a first value at the end": text(
        "int low = INT_MAX, s = 0; if (x[i] > 0) low = first[i]; for (int e = low; e < last[i]; e++) s += a[e]; y[i] = s;",
        WHOLE,
    ),
    "beside a plain loop": text(
        f"int s = 0; {ROW} s += a[e]; int t = 0; for (int k = 0; k < m; k++) t += a[k] * s; y[i] = s; z[i] = t;", WHOLE
    ),
    "from two rows": text("int s = 0; for (int e = first[i]; e < first[i + 1]; e++) s += a[e]; y[i] = s;", WHOLE),
    "normalised": text(
        f"float s = 0.0f; {ROW} s += a[e] * a[e]; y[i] = s; const float t = s > 0.0f ? 1.0f / s : 0.0f; z[i] = t + y[i];"
    ),
}


@pytest.mark.parametrize("setting", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", RULES)
def test_rows_of_any_length(rule, setting, make_task):
    """Rows are empty, shorter than a warp, and longer than a block."""
    pairs = []
    for name, source in SHARED.items():
        engine, task = Engine(), make_task(source, "rows")
        made = engine.text(task, steps(engine, task, [rule], setting))
        assert "_rows<<<" in made and f"_part_{'k' if name == 'beside a plain loop' else 'e'}" in made, made
        pairs.append(Pair(task, made))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((list(SHARED)[k], said[:2], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize(
    "name", first_now(["read before and after", "in memory", "inside of another", "normalised"], 2)
)
@pytest.mark.parametrize("rule", RULES)
def test_threads_do_not_race(rule, name, bench, make_task):
    engine, task = Engine(), make_task(SHARED[name], "rows")
    source = engine.text(task, steps(engine, task, [rule, "loop_unrolling", "restrict_read_only"]))
    assert "#pragma unroll" in source
    assert bench.differences(task, source) == [], source


PAGERANK = """// shape: start = nodes + 1
// shape: source = nnz
// shape: out_degree = nodes
// shape: rank = nodes
// shape: next = nodes
// init: start = row_ptr
// init: source = ints(0, nodes)
// init: out_degree = ints(1, 6)
// check: nodes=1,nnz=0,rounds=1; nodes=9,nnz=700,rounds=2; nodes=40,nnz=70,rounds=3
void ranks(int nodes, int nnz, int rounds, const int* start, const int* source, const int* out_degree, double* rank, double* next) {
    for (int v = 0; v < nodes; v++) rank[v] = 1.0 / nodes;
    for (int r = 0; r < rounds; r++) {
        for (int v = 0; v < nodes; v++) {
            double gathered = 0;
            for (int e = start[v]; e < start[v + 1]; e++) gathered += rank[source[e]] / out_degree[source[e]];
            next[v] = 0.15 / nodes + 0.85 * gathered;
        }
        for (int v = 0; v < nodes; v++) rank[v] = next[v];
    }
}
"""


@pytest.mark.parametrize("rule", RULES)
def test_rounds_over_a_graph(rule, bench, make_task):
    engine, task = Engine(), make_task(PAGERANK, "ranks")
    assert bench.differences(task, engine.text(task, steps(engine, task, [rule]))) == []


ONE_TURN = """// shape: a = n + 8
// shape: b = n + 8
// check: n=0,most=3; n=1,most=1; n=7,most=4; n=300,most=3
void f(int n, int most, float* a, const float* b) {
    float err = 1;
    int fuel = most, turns = 0;
    while (fuel > 0) {
        fuel--;
        int left = 1;
        while (0 < left) {
            left--;
            const float half = 0.5f * err;
            for (int i = 0; i < n; i++) a[i] -= half;
            err = 0;
            for (int i = 0; i < n; i++) err += 0.125f * b[i] * b[i];
            turns++;
        }
        turns++;
    }
    a[n] = err;
    a[n + 1] = turns;
}
"""


@pytest.mark.parametrize("rule", RULES)
def test_one_thread_adds_to_a_scalar_in_memory(rule, bench, make_task):
    engine, task = Engine(), make_task(ONE_TURN, "f")
    made = engine.text(task, steps(engine, task, [rule]))
    assert "err[0] += err_part_i" in made
    assert bench.differences(task, made) == [], made


BROKEN = {
    "may be left by a 'break'": f"float s = 0.0f; {ROW} {{ if (a[e] < 0.0f) break; s += a[e]; }} y[i] = s;",
    "sets 's'": f"float s = 0.0f; {ROW} s = 0.5f * s + a[e]; y[i] = s;",
    "reads 's', which it updates": f"float s = 0.0f; {ROW} {{ if (s < 3.0f) s += a[e]; }} y[i] = s;",
    "updates 's' by two operators": f"float s = 0.0f; {ROW} {{ s += a[e]; s *= x[i]; }} y[i] = s;",
    "updates 's' at several places": f"float s[2]; s[0] = s[1] = 0.0f; {ROW} {{ s[0] += a[e]; s[1] += x[i]; }} y[i] = s[0] * s[1];",
    "updates 's' at different places": f"float s[4] = {{0, 0, 0, 0}}; {ROW} s[e % 4] += a[e]; y[i] = s[0] + s[1] + s[2] + s[3];",
    "changes 'end', which bounds it": (
        "int end = last[i]; float s = 0.0f; for (int e = first[i]; e < end; e++) { if (a[e] > 0.9f) end += -1; s += a[e]; } y[i] = s;"
    ),
    "does not count up by a constant": "float s = 0.0f; for (int e = last[i] - 1; e >= first[i]; e--) s += a[e]; y[i] = s;",
    "is no bound of 'e'": "float s = 0.0f; for (int e = first[i]; e * e < m; e++) s += a[e]; y[i] = s;",
    "has only 8 iterations": "float s = 0.0f; for (int e = first[i]; e < first[i] + 8; e++) s += e < m ? a[e] : 0.0f; y[i] = s;",
    "counts in 'short'": "float s = 0.0f; for (short e = first[i]; e < last[i]; e++) s += a[e]; y[i] = s;",
    "combines nothing": f"{ROW} {{ const float d = a[e]; }} y[i] = 1.0f;",
    "would not use neighbouring elements": "int s = 0; for (int e = first[i]; e < last[i] / 3; e++) s += col[e * 3]; y[i] = s;",
}


@pytest.mark.parametrize("why", BROKEN)
@pytest.mark.parametrize("rule", RULES)
def test_loops_that_threads_do_not_share(rule, why, judging, make_task):
    task = make_task(text(BROKEN[why]), "rows")
    assert why in judging.refusal(task, [], rule)


def test_an_array_that_bounds_a_loop_is_not_written_in_it(judging, make_task):
    body = "float s = 0.0f; for (int e = 0; e < last[i]; e++) { s += a[e]; if (a[e] > 0.9f) last[i] += -1; } y[i] = s;"
    task = make_task(text(body, FLOATS.replace("const int* last", "int* last")), "rows")
    assert "changes 'last', which bounds it" in judging.refusal(task, [], "block_reduction")


def test_an_array_that_is_written_is_no_reduction(judging, make_task):
    body = f"float s = 0.0f; {ROW} {{ s += a[e]; z[i] = a[e]; }} y[i] = s;"
    assert "sets 'z'" in judging.refusal(make_task(text(body), "rows"), [], "warp_shuffle_reduction")


ENTRIES = [(4_000, [32, 128]), (400_000, [128, 256]), (40_000_000, [256, 128])]


@pytest.mark.parametrize(("entries", "threads"), [*ENTRIES, (0, [32, 128])])
def test_a_row_gets_threads_by_its_mean_length(entries, threads, make_task):
    bench = ({"n": 1000, "m": entries},) if entries else ({"n": 0, "m": 0},)
    engine, task = Engine(), make_task(SHARED["sum"], "rows", bench_sizes=bench)
    found = choices(engine.program(task, steps(engine, task, [])), BY_SLUG["warp_shuffle_reduction"])
    assert [choice.decision.parameters["threads"] for choice in found][:2] == threads


PLAIN_ROWS = {  # bounds that are affine
    "a local array that all threads read": """
        int s[2];
        s[0] = 0;
        for (int k = 0; k < m; k++) s[0] += a[k];
        int t = 0;
        for (int k = 0; k < m; k++) t += a[k] * s[0];
        y[i] = t;""",
    "a counter of 64 bits from below zero": """
        int t = 0;
        for (long long k = -m; k < m; k++) t += a[k < 0 ? k + m : k] * (int)k;
        y[i] = t;""",
    "one place by two operators": """
        int t = 0;
        for (int k = 0; k < m; k++) t += a[k];
        for (int k = 0; k < m; k++) t = std::max(t, a[k]);
        y[i] = t;""",
}


@pytest.mark.parametrize("rule", RULES)
def test_rows_of_known_length(rule, make_task):
    pairs = []
    for source in PLAIN_ROWS.values():
        engine, task = Engine(), make_task(text(source, WHOLE), "rows")
        pairs.append(Pair(task, engine.text(task, steps(engine, task, [rule]))))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((list(PLAIN_ROWS)[k], said[:2], pairs[k].source) for k, said in wrong.items())
