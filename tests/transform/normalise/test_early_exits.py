"""Loops that data end early, as searches: natively right with the end anywhere and nowhere; left alone where that would be wrong."""

import random

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right

HEAD = """// shape: x = n + 1
// shape: y = n + 1
// shape: u = n + 1
// shape: next = n + 1
// shape: rows = 7 * n + 7
// shape: out = n + 8
// shape: sum = 8
// init: x = ints(0, 40)
// init: y = ints(0, 40)
// init: u = ints(-9, 9)
// init: next = ints(0, 1)
// init: rows = ints(0, 9)
// init: out = ints(0, 9)
// check: n=0; n=1; n=2; n=3; n=33; n=300; n=1031
#include <algorithm>
#include <cstdint>
#include <cstdlib>
"""
PARAMETERS = "int n, const int* x, const int* y, const float* u, const int* next, const int* rows, int* out, float* sum"
SEARCHES = {
    "the first": "int at = -1; for (int i = 0; i < n; ++i) { if (x[i] == 7) { at = i; break; } } out[0] = at;",
    "nowhere": "int at = n; for (int i = 0; i < n; ++i) { if (x[i] == 99) { at = i; break; } } out[0] = at;",
    "at the very first": "int at = n; for (int i = 0; i < n; ++i) { if (x[i] < 99) { at = i; break; } } out[0] = at;",
    "the last, from the end": "int at = -1; for (int i = n - 1; i >= 0; --i) if (x[i] == 7) { at = i; break; } out[0] = at;",
    "a step": "int at = -1; for (int i = 1; i < n; i += 3) if (x[i] > 38) { at = i + 1; break; } out[0] = at;",
    "any": "bool any = false; for (int i = 0; i < n; ++i) { if (x[i] == 3 && y[i] == 5) { any = true; break; } } out[0] = any;",
    "all": "int all = 1; for (int i = 0; i < n; ++i) if (x[i] > 39) { all = 0; break; } out[0] = all;",
    "counted by a variable of before": "int i = 0; while (i < n && x[i] + y[i] < 77) ++i; out[0] = i; out[1] = i == n;",
    "a for of before": "int i; for (i = 0; i < n; ++i) if (x[i] == y[i] && x[i] == 8) break; out[0] = i;",
    "counted in the output": "out[0] = 0; while (out[0] < n && x[out[0]] < 39) ++out[0];",
    "down to the last that counts": "int i = n - 1; while (i >= 0 && x[i] != 7) --i; out[0] = i;",
    "down to a place": "int i = n; while (i > 1 && x[i - 1] < 38) { sum[0] += u[i - 1]; --i; } out[0] = i;",
    "unsigned, down": "size_t i = n; while (i > 0 && y[i - 1] < 38) --i; out[0] = (int)i;",
    "both ends": "int a = 0; for (; a < n; ++a) if (x[a] > 37) break; int b = n - 1; for (; b >= 0; --b) if (x[b] > 37) break;"
    " out[0] = a; out[1] = b;",
    "a wider counter": "size_t i = 0; for (; i < (size_t)n; ++i) if (x[i] == 39) break; out[0] = (int)i;",
    "two ends": "int sign = 0; for (int i = 0; i < n; ++i) { if (x[i] + 38 < y[i]) { sign = -1; break; }"
    " if (x[i] > y[i] + 38) { sign = 1; break; } } out[0] = sign;",
    "an end in the branch of none": "int at = -5; for (int i = 0; i < n; ++i) { if (x[i] == 39) { at = 2 * i; break; } else if (y[i] == 39)"
    " { at = 3 * i; break; } } out[0] = at;",
    "a sum until": "float s = 0; for (int i = 0; i < n; ++i) { if (x[i] == 17) break; s += u[i]; } sum[0] = s;",
    "a sum up to and with": "float s = 0; for (int i = 0; i < n; ++i) { s += u[i]; if (x[i] == 17) break; } sum[0] = s;",
    "elements until": "for (int i = 0; i < n; ++i) { const int v = x[i] * 2; if (v == 76) { out[i] = -1; break; } out[i] = v + y[i]; }",
    "a head with a test": "int c = 0; for (int i = 0; i < n && x[i] != 11; ++i) c += y[i]; out[0] = c;",
    "values of the turn": "int at = -1, d = 0; for (int i = 0; i < n; ++i) { int a = x[i] - y[i]; if (a < 0) a = -a;"
    " if (a > 37) { at = i; d = a; break; } } out[0] = at; out[1] = d;",
    "rows": "int at = -1; for (int i = 0; i < n; ++i) { int s = 0; for (int k = 0; k < 7; ++k) s += rows[7 * i + k];"
    " if (s > 48) { at = i; break; } } out[0] = at;",
    "what the end changes": "int* o = out; for (int i = 0; i < n; ++i) if (o[i] == 4) { o[i] = 77; break; }",
    "twice": "int a = n; for (int i = 0; i < n; ++i) if (x[i] == 5) { a = i; break; } int b = n;"
    " for (int i = 0; i < n; ++i) if (y[i] == 5) { b = i; break; } out[0] = a + 3 * b;",
}
ORDERED = {
    "what the turns change": "float s = 0; int at = -1;"
    " for (int i = 0; i < n; ++i) { s += u[i]; if (s > 20) { at = i; break; } } out[0] = at;",
    "a place that data say": "int i = 0, c = 0; for (c = 0; c < n; ++c) { if (x[next[c] + 0] == 99) break; out[1 + c] = 1; } out[0] = c;",
    "a walk": "int p = 0; for (int i = 0; i < n; ++i) { if (x[p] == 7) break; p = next[p]; } out[0] = p;",
    "a counter that the test may read": "out[0] = 0; while (out[0] < n && out[x[0] % 3] < 20) ++out[0];",
    "marks": "for (int i = 0; i < n; ++i) { if (out[x[i] % 8] == 99) break; out[x[i] % 8] = 99; }",
}


def function(body: str, returns: str = "void") -> str:
    return f"{HEAD}{returns} f({PARAMETERS}) {{\n{body}\n}}\n"


@pytest.mark.parametrize("name", SEARCHES)
def test_it_has_threads(name, make_task) -> None:
    engine, task = Engine(), make_task(function(SEARCHES[name]), "f")
    assert not engine.in_one_thread(task, engine.plain(task)), engine.text(task, engine.plain(task))


@pytest.mark.parametrize("name", ORDERED)
def test_what_has_an_order_stays_in_it(name, make_task) -> None:
    engine, task = Engine(), make_task(function(ORDERED[name]), "f")
    assert "ends_at" not in engine.text(task, engine.plain(task))


def test_the_results_are_those_of_the_source(make_task) -> None:
    engine = Engine()
    tasks = {name: make_task(function(body), "f") for name, body in {**SEARCHES, **ORDERED}.items()}
    pairs = [Pair(task, engine.text(task, engine.plain(task))) for task in tasks.values()]
    for name, slugs in {
        "the first": ["block_reduction"],
        "rows": ["warp_shuffle_reduction", "two_stage_reduction"],
    }.items():
        pairs.append(Pair(tasks[name], engine.text(tasks[name], steps(engine, tasks[name], slugs))))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((said[:3], pairs[k].source) for k, said in wrong.items())


def test_random_ones_give_the_results_of_their_sources(make_task) -> None:
    def draw(chance: random.Random):
        start, step = chance.choice(["0", "1", "n / 3"]), chance.choice([1, 1, 2])
        test = chance.choice(
            ["x[i] == {k}", "x[i] - y[i] > {k} - 3", "x[i] * y[i] > 40 * {k}", "x[i] + i > n", "x[i + 1] < x[i] - {k}"]
        )
        before, behind = (
            chance.choice(["", "s += x[i];", "out[i] = y[i] + 1;", "c = c > y[i] ? c : y[i];"]) for _ in range(2)
        )
        note = chance.choice(["", "at = i;", "at = x[i]; out[i] = -3;"])
        head = f"for (int i = {start}; i < n; i += {step})"
        if chance.random() < 0.3:
            head = f"for (int i = n - 1; i >= {start}; i -= {step})"
        end = f"if ({test.format(k=chance.randrange(40))}) {{ {note} break; }}"
        return make_task(
            function(
                f"int at = -1, s = 0, c = 0; {head} {{ {before} {end} {behind} }} out[n] = at; out[n + 1] = s; out[n + 2] = c;"
            ),
            "f",
        )

    require_right(
        draw, seed_from="REGRAPHT_EARLY_EXITS", is_parallel=lambda nests: any(nest.threaded for nest in nests)
    )
