"""Recurrences at a distance: a thread for each chain of turns, also where the distance is known only when the program runs."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine

from ..native.native_bench import Pair, native_differences

HEAD = (
    "#include <algorithm>\n#include <cstddef>\n#include <vector>\n"
    "// shape: x = n\n// shape: y = n\n// shape: w = n + 1\n// shape: v = n + d + m\n// shape: c = m\n// init: c = ints(1, 9)\n"
    "// init: w = ints(0, 5)\n// init: v = ints(-5, 5)\n"
    "// check: n=0, m=3, d=1; n=3, m=1, d=7; n=1, m=1, d=1; n=40, m=9, d=3; n=300, m=4, d=16; n=65, m=6, d=64\n"
)
PARAMETERS = "int n, int m, int d, const float* x, const int* c, float* y, int* w, int* v"
EACH = "for (int i = 0; i < n; ++i)"
TAKEN = {
    "a comb": f"{EACH} y[i] = x[i] + (i >= d ? 0.5f * y[i - d] : 0.0f);",
    "from the distance on": "for (int i = d; i < n; ++i) y[i] = 0.5f * y[i - d] + x[i];",
    "under a condition": f"{EACH} {{ y[i] = x[i]; if (i >= d) y[i] += 0.25f * y[i - d]; }}",
    "with a local place": f"{EACH} {{ const int from = i - d; v[i] = from < 0 ? 1 : v[from] * 3 % 101; }}",
    "a wide counter": "for (long long i = d; i < n; ++i) v[i] += v[i - d];",
    "a number": "for (int i = 12; i < n; i++) v[i] = v[i] + 2 * v[i - 12];",
    "two numbers of one measure": "for (int i = 27; i < n; i++) v[i] += v[i - 9] - v[i - 27];",
    "twice the distance": "for (int i = 2 * d; i < n; ++i) v[i] = (v[i - d] + v[i - 2 * d]) % 97;",
    "beside a map": "for (int i = d; i < n; ++i) { y[i] = x[i] * 2; v[i] += v[i - d]; }",
    "inner turns of whole distances": "for (int i = 2 * d; i < n; ++i) { int t = v[i]; "
    "for (int q = 1; q <= 2; ++q) t += v[i - q * d]; v[i] = t % 97; }",
    "a ring": "std::vector<float> r(d, 0.0f); int at = 0; "
    f"{EACH} {{ const float old = r[at]; y[i] = x[i] + old; r[at] = x[i] + 0.5f * old; if (++at == d) at = 0; }}",
    "a ring by what is left": "std::vector<int> r(d, 1); int at = 0; "
    f"{EACH} {{ v[i] += r[at]; r[at] = v[i] % 50; at = (at + 1) % d; }}",
    "a ring by the turn": f"std::vector<int> r(d, 2); {EACH} {{ const int at = i % d; v[i] = r[at]; r[at] = v[i] * 3 % 71 + i; }}",
    "a ring of a number": "int r[8] = {0, 0, 0, 0, 0, 0, 0, 0}; int at = 0; "
    f"{EACH} {{ v[i] += r[at]; r[at] = v[i] % 60; at = at + 1 < 8 ? at + 1 : 0; }}",
    "coins": "for (int k = 0; k < m; ++k) for (int j = c[k]; j <= n; ++j) w[j] = (w[j] + w[j - c[k]]) % 1000;",
    "coins from one on": "for (int k = 0; k < m; ++k) { const int one = c[k] + 1; "
    "for (int j = one; j <= n; ++j) w[j] = std::min(w[j], w[j - one] + 1); }",
    "coins in turns of its own": "for (int k = 0; k < m; k++) { int one = c[k] + 1; for (int j = one; j <= n; j++) w[j] += w[j - one]; }",
}
STAYS = {
    "few chains": "for (int i = 5; i < n; i++) v[i] = v[i] % 7 + 2 * v[i - 5];",
    "halves, of which a condition tells": "for (int i = 0; i < d; ++i) v[i] = (v[i] + v[i + m]) % 97;",
    "elements of inner turns": "for (int i = d; i < n - 3; ++i) { for (int q = 0; q < 3; ++q) v[i + q] = (v[i + q] * 3 + q) % 97; "
    "y[i] += y[i - d]; }",
    "an amount of the turn's own": "for (int i = d; i < n; ++i) { const int at = i - v[i] % 2; w[at] = w[at] % 7 + i; y[i] += y[i - d]; }",
    "what is ahead": "for (int i = 0; i + d < n; ++i) v[i] = v[i] + v[i + d];",
    "two distances": "for (int i = d + m; i < n; ++i) v[i] = (v[i - d] + v[i - m]) % 97;",
    "numbers without a measure": "for (int i = 5; i < n; i++) v[i] = (v[i - 2] * v[i - 5]) % 97;",
    "a running value": f"int t = 0; {EACH} {{ t = (t * 7 + v[i]) % 53; v[i] = t * t % 11 + (i >= d ? v[i - d] : 0); }}",
    "a distance that changes": f"int e = 1; {EACH} {{ v[i] = i >= e ? v[i - e] % 7 + e : 1; e = v[i] > 3 ? 2 : 1; }}",
    "a distance by the turn": f"{EACH} v[i] = v[i] % 9 + v[i / 2] * v[i / 2] % 7;",
    "a ring that is shorter": f"std::vector<int> r(d + 1, 1); {EACH} {{ v[i] += r[i % d]; r[(i + 1) % (d + 1)] = v[i] % 50; }}",
    "two places of a ring": "std::vector<int> r(d, 1); "
    f"{EACH} {{ const int at = i % d, then = (i + 1) % d; v[i] += r[at]; r[then] = (v[i] + r[at]) % 50; }}",
    "a counter that is set": "std::vector<int> r(d, 1); int at = 0; "
    f"{EACH} {{ v[i] += r[at]; r[at] = v[i] % 50; if (++at == d || v[i] == 3) at = 0; }}",
}


def task_of(make_task, body: str):
    return make_task(f"{HEAD}void f({PARAMETERS}) {{\n{body}\n}}", "f")


def threads(make_task, body: str) -> set[str]:
    return {name for nest in analyse(task_of(make_task, body)).nests for name in nest.parallel}


@pytest.mark.parametrize("name", TAKEN)
def test_each_chain_of_turns_has_a_thread(name, make_task):
    assert any(one.startswith("chain") for one in threads(make_task, TAKEN[name]))


@pytest.mark.parametrize("name", STAYS)
def test_turns_that_meet_otherwise_keep_their_order(name, make_task):
    assert not any(one.startswith("chain") for one in threads(make_task, STAYS[name]))


def test_all_of_them_are_right(make_task):
    engine = Engine()
    tasks = [task_of(make_task, body) for body in [*TAKEN.values(), *STAYS.values()]]
    pairs = [Pair(task, engine.text(task, engine.plain(task))) for task in tasks]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].task.reference.source.text, pairs[k].source) for k, said in wrong.items()][:1]


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_they_are_right_on_the_emulated_device(name, make_task, bench):
    engine, task = Engine(), task_of(make_task, TAKEN[name])
    source = engine.text(task, engine.plain(task))
    assert bench.differences(task, source) == [], source
