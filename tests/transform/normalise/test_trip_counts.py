"""Loops that walk pointers to an end by whole rows: one turn a row, and none where rows are empty."""

import random

import pytest

from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right

HEAD = """// shape: x = 6 * n * m + 6 * n + 2
// shape: y = 6 * n * m + 6 * n
// shape: s = 6 * n * m + 8 * n + 2
// check: n=0,m=0; n=0,m=3; n=3,m=0; n=1,m=1; n=2,m=3; n=3,m=33; n=33,m=2; n=70,m=5
#include <cmath>
#include <cstddef>
#include <cstdint>
"""
ROW = "float most = 0.0f; for (int c = 0; c < m; ++c) most = std::fmax(most, std::fabs(p[c]));"
OUT = "for (int c = 0; c < m; ++c) *y++ = *p++ * most; *s++ = most;"
WALKS = {
    "to another place than the end": f"const float* p = x; const float* end = p + (size_t)n * m; while (p != end) {{ {ROW} {OUT} }}",
    "below the end": f"const float* p = x; const float* end = p + n * m; while (p < end) {{ {ROW} {OUT} }}",
    "the end on the left": f"const float* p = x; const float* const end = x + (long long)m * n; while (end > p) {{ {ROW} {OUT} }}",
    "an index": "int at = 0; while (at < n * m) { s[at / m] = 0.0f; for (int c = 0; c < m; ++c) s[at / m] += x[at + c]; at += m; }".replace(
        "at / m", "at"
    ),
    "one step at the end of a turn": f"const float* p = x; const float* end = x + n * m; while (p != end) {{ {ROW} *s++ = most; p += m; }}",
    "several rows a turn": "const float* p = x; const float* end = x + 2 * n * m; while (p != end) {"
    " float a = 0, b = 0; for (int c = 0; c < m; ++c) a += *p++; for (int c = 0; c < m; ++c) b += *p++; *s++ = a; *s++ = b; }",
    "a product of sizes in a turn": "const float* p = x; const float* end = x + 3 * n * m; while (p != end) {"
    " float a = 0; for (int c = 0; c < 3 * m; ++c) a += p[c]; p += 3 * m; *s++ = a; }",
    "read behind the loop": f"const float* p = x; const float* end = x + n * m; while (p != end) {{ {ROW} {OUT} }} *s = *p;",
    "from the middle on": f"const float* p = x + n; const float* end = p + n * m; while (p != end) {{ {ROW} {OUT} }}",
    "an end set again": "const float* p = x; const float* end = x + 2 * n * m; end = x + n * m; while (p != end) { *s++ = p[0]; p += m; }",
    "a size with a new value behind the end": "int k = n; long long at = 0; const long long end = k * m; k = 2;"
    " while (at < end) { s[at] = x[at] + k; at += m; }",
    "numbers": "const float* p = x; const float* end = x + 6 * n; while (p != end) { float a = *p++; float b = *p++; *s++ = a * b; }",
}
STAYS = {
    "a distance that the step may not divide": f"const float* p = x; const float* end = x + n * m + n; while (p < end) {{ {ROW} {OUT} }}",
    "another step under a condition": "const float* p = x; const float* end = x + n * m; while (p < end) {"
    " if (*p > 0.0f) { *s++ = *p; p += m; } else { *s++ = 1.0f; p += m; } }",
    "a turn left early": "const float* p = x; const float* end = x + n * m; while (p < end) {"
    " p += m; if (p[-1] > 0.0f) continue; *s++ = p[-1]; }",
    "an end that moves": "long long at = 0, end = n * m; while (at < end) { s[at] = x[at]; at += m; if (x[at] > 0.5f) end = at; }",
    "a step that changes": "const float* p = x; int w = m; const float* end = x + n * m; while (p < end) { *s++ = p[0]; p += w; w += n; }",
    "an end from memory": "long long at = (long long)s[0], end = (long long)s[0] + n * m; while (at != end) { s[at] = x[at]; at += m; }",
    "an end of each turn": "long long at = 0; while (at < at + n * m) { s[at] = x[at]; at += m; if (at > 9) break; }",
    "a start that moved": "long long at = 0; const long long end = at + n * m; at += n; while (at < end) { s[at] = x[at]; at += m; }",
    "a size that changed": "int k = n; long long at = 0; const long long end = k * m; if (x[0] > 0.0f) k = 2;"
    " while (at < end) { s[at] = x[at] + k; at += m; }",
    "arithmetic that wraps": "unsigned at = 0; unsigned end = (unsigned)n * (unsigned)m; while (at < end) { s[at] = x[at]; at += m; }",
    "a step that may be negative": "const float* p = x; const int k = (int)x[0]; const float* end = x + n * k;"
    " while (p != end) { *s++ = p[0]; p += k; }",
}
QUICK = ["to another place than the end", "read behind the loop"]


def task_with(make_task, body: str) -> Task:
    return make_task(f"{HEAD}void f(int n, int m, const float* x, float* y, float* s) {{\n{body}\n}}", "f")


@pytest.mark.parametrize("name", WALKS)
def test_turns_are_threads(name, make_task) -> None:
    nests = analyse(task_with(make_task, WALKS[name])).nests
    assert nests[0].parallel[:1] == [nests[0].root.variable]
    assert not nests[0].host_loops


@pytest.mark.parametrize("name", STAYS)
def test_walks_that_stay_as_they_are(name, make_task) -> None:
    nests = analyse(task_with(make_task, STAYS[name])).nests
    assert not any(nest.parallel and nest.root.variable.startswith("turn") for nest in nests)


def test_the_results_are_those_of_the_source(make_task) -> None:
    engine = Engine()
    tasks = [task_with(make_task, body) for body in WALKS.values()]
    pairs = [Pair(task, engine.text(task, steps(engine, task, []))) for task in tasks]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize("name", QUICK)
def test_no_thread_leaves_the_arrays(name, make_task, bench) -> None:
    task, engine = task_with(make_task, WALKS[name]), Engine()
    source = engine.text(task, steps(engine, task, []))
    assert bench.differences(task, source) == [], source


@pytest.mark.slow
def test_random_walks(make_task) -> None:
    def draw(chance: random.Random) -> Task:
        return task_with(make_task, _body(chance))

    require_right(
        draw,
        seed_from="REGRAPHT_WALKS_SEED",
        is_parallel=lambda nests: any(nest.parallel for nest in nests),
        programs=24,
    )


def _body(chance: random.Random) -> str:
    """A walk over rows to an end, most of them by a step that divides the distance."""
    times, rows = chance.choice([1, 1, 2, 3, 6]), chance.choice(["n", "n", "m"])
    step = "m" if rows == "n" else "n"
    part = chance.choice([one for one in (1, 1, 2, 3) if times % one == 0])
    cast = chance.choice(["", "(size_t)", "(long long)"])
    distance = f"{cast}{rows} * {step}" + (f" * {times}" if times > 1 else "")
    if chance.random() < 0.15:
        distance += f" + {chance.choice(['0 * n', 'm * 0'])}"
    start = chance.choice(["x", "x", "x + n", "x + 2"])
    start = "y" if start == "x + 2" else start
    test = chance.choice(["p != end", "p < end", "end > p", "end != p"])
    whole = f"{part} * {step}" if part > 1 else step
    loop = f"for (int c = 0; c < {whole}; ++c)"
    moves = chance.choice(
        [f"{loop} a += *p++;", f"{loop} a += p[c]; p += {whole};", f"{loop} {{ a = a * 0.5f + *p; ++p; }}"]
    )
    store = chance.choice(["*s++ = a;", "*s++ = a; *s++ = 1.0f;", "s[0] += a;", "s[0] = a;", "*s = a; s += 1;"])
    leave = " if (a > 2.0f) break;" if chance.random() < 0.15 else ""
    after = chance.choice(["", "", " if (n * m > 0) y[0] = *(p - 1);"]) if start != "y" else ""
    head = f"const float* p = {start}; const float* end = p + {distance};"
    return f"{head} while ({test}) {{ float a = 0.0f; {moves} {store}{leave} }}{after}"
