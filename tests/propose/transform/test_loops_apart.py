"""Turns that get scratch of their own from the start, since one thread runs them otherwise, and what keeps their order."""

import pytest

from regrapht.propose.transform.engine import Engine
from regrapht.propose.transform.nest import Kind
from regrapht.propose.transform.program import analyse
from regrapht.propose.transform.proposer import TransformProposer
from regrapht.sandbox.choose import choose_sandbox

from .judging import steps
from .native.native_bench import Pair, native_differences

HEAD = (
    "// shape: a = n*m\n// shape: b = n*m\n// shape: t = m\n"
    "// check: n=0, m=3; n=1, m=1; n=2, m=2; n=3, m=33; n=5, m=3; n=40, m=17\n// require: m >= 1\n"
)
TIMED = ({"n": 5000, "m": 40},)
CHOSEN = "(int)(a[i * m + k] * a[i * m + k] * 0.9f * m) % m"
CLEAR = "for (int k = 0; k < m; k++) s[k] = 0;"
COUNT = f"for (int k = 0; k < m; k++) s[{CHOSEN}] += 1;"
RUNNING = "float g = 0; for (int k = 0; k < m; k++) { g = 0.5f * g + s[k]; b[i * m + k] = g; }"
GATHER = f"float g = 0; for (int k = 0; k < m; k++) {{ g = 0.5f * g + s[{CHOSEN}]; b[i * m + k] = g; }}"
RECURRENCE = "s[0] = 1; for (int k = 1; k < m; k++) s[k] = 0.5f * s[k - 1] + a[i * m + k];"


def program(body: str, *, length: str = "m", before: str = "", after: str = "") -> str:
    return (
        f"{HEAD}#include <vector>\nvoid f(int n, int m, const float* a, float* b, float* t) {{\nstd::vector<float> s({length});\n{before}\n"
        f"for (int i = 0; i < n; i++) {{\n{body}\n}}\n{after}\n}}"
    )


APART = {
    "counted where data choose": program(CLEAR + COUNT + RUNNING),
    "a recurrence, read where data choose": program(RECURRENCE + GATHER),
    "a longer buffer": program(CLEAR.replace("< m", "< m + 1") + COUNT + RUNNING, length="m + 1"),
    "a segment that data choose": program(
        f"{RECURRENCE} float g = 0; for (int k = 0; k < m; k++) {{ for (int l = {CHOSEN}; l < m && g < 9; l++) g += s[l];"
        " b[i * m + k] = g; }"
    ),
    "columns, up and down": program(
        "float g = 0; for (int j = 0; j < m; j++) { s[j] = g = 1 / (3 - g); b[j * n + i] += g; }"
        " for (int j = m - 2; j >= 0; j--) b[j * n + i] += s[j] * b[(j + 1) * n + i];"
    ),
    "another result afterwards": program(CLEAR + COUNT + RUNNING, after="for (int k = 0; k < m; k++) t[k] = k;"),
    "a first fill by the source": program(
        RECURRENCE + GATHER, before="for (int k = 0; k < m; k++) { s[k] = k; t[k] = k; }"
    ),
}
IN_ORDER = {
    "an element short": program(CLEAR.replace("< m", "< m - 1") + COUNT + RUNNING),
    "the last element of a longer buffer": program(
        CLEAR + COUNT + RUNNING + "b[i * m] += s[m - (int)(a[i * m] * a[i * m])];", length="m + 1"
    ),
    "every second element": program(CLEAR.replace("k++", "k += 2") + GATHER),
    "from the second element": program(RECURRENCE.replace("s[0] = 1;", "") + GATHER),
    "only some turns": program(f"if (a[i * m] > 0) {{ {CLEAR} }} {COUNT} {RUNNING}"),
    "only the first turn": program(f"if (i == 0) {{ {CLEAR} }} {COUNT} {RUNNING}"),
    "left before it is full": program(
        CLEAR.replace("s[k] = 0;", "{ if (a[i * m + k] > 0.9f) break; s[k] = 0; }") + GATHER
    ),
    "as far as data say": program(
        f"const int end = (int)(a[i * m] * a[i * m] * m); {CLEAR.replace('k < m', 'k < end')} {GATHER}"
    ),
    "written where data choose": program(f"for (int k = 0; k < m; k++) s[{CHOSEN}] = k; {GATHER}"),
    "read first": program(GATHER + CLEAR),
    "read afterwards": program(CLEAR + COUNT + RUNNING, after="t[0] = s[0];"),
    "shared beside it": program(CLEAR + COUNT + RUNNING + "t[0] = 0.5f * t[0] + g;"),
}


@pytest.mark.parametrize("name", APART)
def test_turns_with_scratch_of_their_own(name, make_task):
    nests = analyse(make_task(APART[name], "f", bench_sizes=TIMED)).nests
    assert all(nest.kind is not Kind.SERIAL and not nest.host_loops for nest in nests)
    assert any(nest.parallel[:1] == ["i"] for nest in nests)


@pytest.mark.parametrize("name", IN_ORDER)
def test_turns_that_hand_something_on_keep_their_order(name, make_task):
    nests = analyse(make_task(IN_ORDER[name], "f", bench_sizes=TIMED)).nests
    assert not any(nest.parallel[:1] == ["i"] for nest in nests)


@pytest.mark.parametrize(
    "sizes", [{"n": 100, "m": 40}, {"n": 100_000, "m": 100_000}], ids=["few turns", "much scratch"]
)
def test_threads_of_what_is_inside_are_given_up_for_many_turns_and_little_memory(sizes, make_task):
    nests = analyse(make_task(APART["counted where data choose"], "f", bench_sizes=(sizes,))).nests
    assert any(nest.kind is Kind.SERIAL and nest.host_loops == ("i",) for nest in nests)


WINDOW = """// shape: a = heads*n
// shape: b = heads*n
// check: heads=0, n=3, w=1; heads=2, n=0, w=3; heads=1, n=1, w=1; heads=3, n=33, w=5; heads=2, n=7, w=20
// require: w >= 1
#include <algorithm>
#include <cmath>
#include <vector>
void f(int heads, int n, int w, const float* a, float* b) {
    std::vector<float> s(w);
    for (int h = 0; h < heads; h++) {
        for (int i = 0; i < n; i++) {
            const int first = std::max(0, i - w + 1);
            float largest = -9;
            for (int j = first; j <= i; j++) {
                s[j - first] = a[h * n + j] * a[h * n + i];
                largest = std::max(largest, s[j - first]);
            }
            float total = 0;
            for (int j = first; j <= i; j++) total = 0.5f * total + std::exp(s[j - first] - largest);
            b[h * n + i] = total;
        }
    }
}"""


def test_two_loops_around_have_parts_together(make_task):
    (nest,) = analyse(make_task(WINDOW, "f", bench_sizes=({"heads": 8, "n": 4096, "w": 32},))).nests
    assert nest.parallel[:2] == ["h", "i"]


def plain_pairs(make_task) -> list[Pair]:
    tasks = [make_task(WINDOW, "f", bench_sizes=({"heads": 8, "n": 4096, "w": 32},))]
    tasks += [make_task(text, "f", bench_sizes=TIMED) for text in (*APART.values(), *IN_ORDER.values())]
    return [Pair(task, TransformProposer().plain(task).source or "") for task in tasks]


@pytest.mark.slow
def test_all_of_them_are_right(make_task, bench):
    pairs = plain_pairs(make_task)
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].source) for k, said in wrong.items()]
    for pair in pairs:
        assert bench.differences(pair.task, pair.source) == [], pair.source


@pytest.mark.parametrize(
    "name", ["counted where data choose", "a first fill by the source", "a segment that data choose"]
)
def test_some_of_them_on_the_emulated_device(name, make_task, bench):
    task = make_task(APART[name], "f", bench_sizes=TIMED)
    source = TransformProposer().plain(task).source
    assert source is not None
    assert bench.differences(task, source) == [], source


def test_one_launch_for_no_turns_writes_no_scratch(make_task, bench):
    """What fills the scratch where it is declared writes a part, though no turn has one."""
    body = "for (int k = 0; k < m; k++) s[k] = a[i * m + k]; for (int k = 0; k < m; k++) b[i * m + k] = s[m - 1 - k];"
    task, engine = make_task(program(body), "f"), Engine()
    source = engine.text(task, steps(engine, task, ["launch_reduction"]))
    assert bench.differences(task, source) == [], source
