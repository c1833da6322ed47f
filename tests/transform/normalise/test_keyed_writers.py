"""Loops whose turns write elements that data choose: the last, the first and the best turn of each element, found in threads."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind

from ..judging import steps
from ..native.native_bench import Pair, native_differences

HEAD = (
    "// shape: k = n\n// shape: x = n\n// shape: d = n\n// shape: a = m\n// shape: b = m\n// shape: near = m\n// shape: s = m\n"
    "// shape: out = n\n// shape: made = 1\n"
    "// init: k = ints(0, m)\n// init: d = ints(-3, 4)\n// init: a = ints(-2, 2)\n// init: b = ints(-9, 9)\n// init: s = ints(0, 2)\n"
    "// check: n=0, m=3; n=3, m=1; n=1, m=5; n=40, m=9; n=300, m=20; n=65, m=900\n"
)
PARAMETERS = "int n, int m, const int* k, const float* x, const int* d, int* a, int* b, float* near, unsigned char* s, int* out, int* made"
EACH = "for (int i = 0; i < n; ++i)"
TAKEN = {
    "the last": f"{EACH} near[k[i]] = x[i];",
    "the last of those that count": f"{EACH} {{ if (x[i] < 0) continue; near[k[i]] = 2 * x[i] + i; }}",
    "the last by a helper's place": f"{EACH} {{ const int at = (k[i] * 7 + 3) % m; a[at] = d[i]; b[at] = i; }}",
    "one of two values": f"{EACH} {{ if (d[i] > 0) a[k[i]] = i; else a[k[i]] = -i; }}",
    "both ends of an edge": f"{EACH} {{ a[k[i]] = i; a[k[n - 1 - i]] = d[i]; }}",
    "marks": f"{EACH} s[k[i]] = 1;",
    "marks under a condition": f"{EACH} if (x[i] > 0) s[k[i]] = true;",
    "marks from a later turn on": "for (int i = 2; i < n; ++i) s[k[i]] = 7;",
    "a wide counter": "for (long long i = 0; i < n; ++i) near[k[i]] = x[i];",
    "an unsigned counter": "for (size_t i = 0; i < (size_t)n; i++) b[k[i]] = d[i] - 1;",
    "what an inner loop makes": f"{EACH} {{ float t = 0; for (int j = 0; j < 4; ++j) t += x[i] * j; near[k[i]] = t; }}",
    "beside a map": f"{EACH} {{ out[i] = d[i] * 3; near[k[i]] = x[i]; }}",
    "beside a sum": f"made[0] = 0; {EACH} {{ made[0] += d[i]; b[k[i]] = d[i]; }}",
    "the first by a sign": f"{EACH} if (a[k[i]] < 0) a[k[i]] = i;",
    "the first by a number": f"{EACH} {{ const int at = k[i]; if (a[at] == -1) a[at] = i + 1; }}",
    "the first with what it brings": f"{EACH} if (a[k[i]] < 0 && x[i] > 0) {{ a[k[i]] = i; near[k[i]] = x[i]; b[k[i]] = d[i]; }}",
    "the first that is seen": f"{EACH} if (!s[k[i]]) {{ s[k[i]] = 1; near[k[i]] = x[i]; }}",
    "how many there are": f"int c = 0; {EACH} if (s[k[i]] == 0) {{ s[k[i]] = 1; ++c; }} made[0] = c;",
    "those that are new, in their order": f"int c = 0; {EACH} {{ if (s[k[i]]) continue; s[k[i]] = 1; out[c++] = k[i]; }} made[0] = c;",
    "new or seen": f"{EACH} if (s[k[i]] == 0) {{ s[k[i]] = 2; out[i] = 1; }} else {{ out[i] = 0; }}",
    "a place that is guarded": f"{EACH} {{ const int at = k[i] - 1; if (at >= 0 && s[at] != 1) {{ s[at] = 1; out[i] = at; }} }}",
    "the nearest": f"{EACH} if (x[i] < near[k[i]]) {{ near[k[i]] = x[i]; a[k[i]] = i; }}",
    "the nearest, mirrored": f"{EACH} if (near[k[i]] > x[i] && d[i] != 0) {{ near[k[i]] = x[i]; a[k[i]] = d[i]; }}",
    "the last of the nearest": f"{EACH} if (d[i] <= a[k[i]]) {{ a[k[i]] = d[i]; b[k[i]] = i; }}",
    "the largest of whole numbers": f"{EACH} {{ const int at = k[i]; if (d[i] > a[at]) {{ a[at] = d[i]; b[at] = i; }} }}",
    "the last of the largest": f"{EACH} {{ if (a[k[i]] <= d[i]) {{ a[k[i]] = d[i]; near[k[i]] = x[i]; }} }}",
    "the nearest of what a turn makes": f"{EACH} {{ const float q = x[i] * x[i]; if (q < near[k[i]]) {{ near[k[i]] = q; b[k[i]] = i; }} }}",
}
STAYS = {
    "what an earlier turn left": f"{EACH} {{ near[k[i]] = x[i] + near[(k[i] + 1) % m]; }}",
    "what is there": f"{EACH} {{ out[i] = a[k[i]]; a[k[i]] = i; }}",
    "a running value": f"int t = 0; {EACH} {{ t = (t * d[i] + t / 3) % 100; a[k[i]] = t; }}",
    "a test that what is written may pass": f"{EACH} if (a[k[i]] < 0) a[k[i]] = d[i];",
    "a mark that is none": f"{EACH} if (s[k[i]] == 0) {{ s[k[i]] = 0; out[i] = 1; }}",
    "a place that moves": f"{EACH} {{ int at = k[i]; if (a[at] < 0) {{ at = (at + 1) % m; a[at] = i; }} }}",
    "steps of the nearest are counted": f"int c = 0; {EACH} if (x[i] < near[k[i]]) {{ near[k[i]] = x[i]; ++c; }} made[0] = c;",
    "another value than was tested": f"{EACH} if (x[i] < near[k[i]]) {{ near[k[i]] = x[i] + 1; a[k[i]] = i; }}",
    "values and marks meet": f"{EACH} {{ a[k[i]] = i; if (a[d[i] + 3 < m ? d[i] + 3 : 0] > 2) s[k[i]] = 1; }}",
    "updates beside": f"{EACH} {{ b[k[i]] += d[i]; b[k[n - 1 - i]] = i; }}",
    "the last of inner turns": f"{EACH} for (int j = 0; j < 3; ++j) b[(k[i] + j) % m] = i * d[(i + j) % n];",
    "it is left": f"{EACH} {{ if (a[k[i]] > 100) break; a[k[i]] = i + 95; }}",
}


def task_of(make_task, body: str):
    return make_task(f"#include <cstddef>\n{HEAD}void f({PARAMETERS}) {{\n{body}\n}}", "f")


def alone(make_task, body: str) -> list[str]:
    """The techniques that give threads to what is left in one thread; raises where none does."""
    analysis = analyse(task_of(make_task, body))
    return ["block_scan" for nest in analysis.nests if nest.kind is Kind.SERIAL][:1]


@pytest.mark.parametrize("name", TAKEN)
def test_who_writes_is_found_in_threads(name, make_task):
    nests = analyse(task_of(make_task, TAKEN[name])).nests
    assert sum(nest.kind is Kind.SERIAL for nest in nests) <= ("c++" in TAKEN[name])


@pytest.mark.parametrize("name", STAYS)
def test_turns_that_need_what_others_wrote_keep_their_order(name, make_task):
    nests = analyse(task_of(make_task, STAYS[name])).nests
    assert all("i" not in nest.threaded for nest in nests)


def test_all_of_them_are_right(make_task):
    engine = Engine()
    pairs = []
    for body in [*TAKEN.values(), *STAYS.values()]:
        task = task_of(make_task, body)
        pairs.append(Pair(task, engine.text(task, engine.plain(task))))
    for body in TAKEN.values():
        if alone(make_task, body):
            task = task_of(make_task, body)
            pairs.append(Pair(task, engine.text(task, steps(engine, task, ["block_scan"]))))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].task.reference.source.text, pairs[k].source) for k, said in wrong.items()][:1]


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_they_are_right_on_the_emulated_device(name, make_task, bench):
    engine, task = Engine(), task_of(make_task, TAKEN[name])
    source = engine.text(task, steps(engine, task, alone(make_task, TAKEN[name])))
    assert bench.differences(task, source) == [], source
