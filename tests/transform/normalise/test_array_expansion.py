"""Turns that get scratch of their own from the start, since one thread runs them otherwise, and what keeps their order."""

import random

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind

from ..judging import steps
from ..native_random import require_right
from ..plain_programs import require_plain_right

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
    "sizes", [{"n": 100, "m": 40_000}, {"n": 100_000, "m": 100_000}], ids=["few turns", "much scratch"]
)
def test_threads_of_what_is_inside_are_given_up_for_many_turns_and_little_memory(sizes, make_task):
    nests = analyse(make_task(APART["counted where data choose"], "f", bench_sizes=(sizes,))).nests
    assert any(nest.kind is Kind.SERIAL and nest.host_loops == ("i",) for nest in nests)


FILL = "for (int k = 0; k < m; k++) s[k] = a[i * m + k] * 2;"
SCALED = "float g = 0; for (int k = 0; k < m; k++) g += s[k] * s[k]; for (int k = 0; k < m; k++) b[i * m + k] = s[k] / (g + 1);"
LAUNCHED = {
    "a sum over the scratch": program(FILL + SCALED),
    "changed between two sums": program(f"{FILL} float t = 0; for (int k = 0; k < m; k++) t += s[k] *= 0.5f; {SCALED}"),
    "kernels in turns of turns": program(
        f"{FILL} for (int c = 0; c < m; c++) {{ {SCALED.replace('b[i * m + k]', 'b[i * m + c]')} }}"
    ),
    "a first fill by the source": program(FILL + SCALED, before="for (int k = 0; k < m; k++) s[k] = 1;"),
}
AGAIN = """// shape: a = n*m
// shape: b = n*m
// shape: t = m
// check: n=1, m=1; n=5, m=3; n=40, m=17
void f(int n, int m, const float* a, float* b, float* t) {
    float* s = new float[m];
    for (int r = 0; r < 2; r++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < m; k++) s[k] = a[i * m + k] + r;
            float g = 0;
            for (int k = 0; k < m; k++) {
                g = 0.5f * g + s[k];
                b[i * m + k] += g;
            }
        }
        for (int k = 0; k < m; k++) t[k] += s[k];
    }
    delete[] s;
}
"""
HANDED_ON = {
    "read before it is filled": program(SCALED + FILL),
    "filled but for an element": program(FILL.replace("k < m", "k < m - 1") + SCALED),
    "filled in the first turn": program(f"if (i == 0) {{ {FILL} }} {SCALED}"),
    "read afterwards": program(FILL + SCALED, after="for (int k = 0; k < m; k++) t[k] = s[k];"),
    "read between loops of turns": AGAIN,
    "read in the next loop of turns": AGAIN.replace("s[k] = a", "if (r == 0) s[k] = a").replace(
        "t[k] += s[k]", "t[k] += 1"
    ),
    "a result that the next turn reads": program(FILL + SCALED.replace("s[k] / ", "t[k] = 0.5f * t[k] + s[k] / ")),
}
MANY_SHORT = ({"n": 512, "m": 64}, {"n": 2000, "m": 500})


@pytest.mark.parametrize("name", LAUNCHED)
def test_threads_make_turns_of_which_each_would_start_kernels(name, make_task):
    nests = analyse(make_task(LAUNCHED[name], "f", bench_sizes=MANY_SHORT)).nests
    # Once turns have scratch of their own, parts of them may get threads of their own too.
    assert all(nest.parallel[:1] == ["i"] and not nest.host_loops for nest in nests)
    assert len(nests) == 1 or name == "kernels in turns of turns"


@pytest.mark.parametrize("name", HANDED_ON)
def test_scratch_that_turns_hand_on_keeps_their_order(name, make_task):
    nests = analyse(make_task(HANDED_ON[name], "f", bench_sizes=MANY_SHORT)).nests
    assert not any(nest.parallel[:1] == ["i"] for nest in nests)


@pytest.mark.parametrize(
    "sizes",
    [
        ({"n": 4, "m": 100_000},),  # a thread's turn is longer than all launches
        (*MANY_SHORT, {"n": 4, "m": 100_000}),  # at one of the sizes
        ({"n": 100_000, "m": 100_000},),  # much scratch
    ],
    ids=["few long turns", "at one size", "much scratch"],
)
def test_kernels_stay_where_they_take_less_time(sizes, make_task):
    nests = analyse(make_task(LAUNCHED["a sum over the scratch"], "f", bench_sizes=sizes)).nests
    assert not any(nest.parallel[:1] == ["i"] for nest in nests)


HEADS = """// shape: q = n*d
// shape: k = n*d
// shape: out = n*d
// check: n=1, d=1, h=1; n=7, d=12, h=3; n=5, d=17, h=4; n=3, d=2, h=5; n=0, d=4, h=2
#include <cmath>
#include <vector>
void f(int n, int d, int h, const float* q, const float* k, float* out) {
    const int width = d / h;
    std::vector<float> weight(n);
    for (int head = 0; head < h; head++)
        for (int i = 0; i < n; i++) {
            const int first = head * width;
            float most = -INFINITY, total = 0;
            for (int j = 0; j < n; j++) {
                float dot = 0;
                for (int c = 0; c < width; c++) dot += q[i * d + first + c] * k[j * d + first + c];
                weight[j] = dot;
                most = weight[j] > most ? weight[j] : most;
            }
            for (int j = 0; j < n; j++) total += weight[j] = expf(weight[j] - most);
            for (int c = 0; c < width; c++) {
                float sum = 0;
                for (int j = 0; j < n; j++) sum += weight[j] * k[j * d + first + c];
                out[i * d + first + c] = sum / total;
            }
        }
}"""
HEADS_TIMED = ({"n": 64, "d": 32, "h": 4}, {"n": 512, "d": 512, "h": 16})
HEADS_TOGETHER = {
    "a wider head": ("width = d / h;", "width = d / h + 1;"),
    "a head more": ("head < h", "head <= h"),
    "a column more": ("c = 0; c < width; c++) {", "c = 0; c <= width; c++) {"),
    "weights to the next turn": (
        "float most = -INFINITY, total = 0;",
        "float most = n > 0 ? weight[0] : 0, total = 0;",
    ),
}


def test_heads_and_rows_of_attention_are_threads(make_task):
    (nest,) = analyse(make_task(HEADS, "f", bench_sizes=HEADS_TIMED)).nests
    assert nest.parallel == ["head", "i"]


@pytest.mark.parametrize("name", HEADS_TOGETHER)
def test_heads_that_meet_keep_their_order(name, make_task):
    text = HEADS.replace(*HEADS_TOGETHER[name])
    assert text != HEADS
    nests = analyse(make_task(text, "f", bench_sizes=HEADS_TIMED)).nests
    assert not any({"head", "i"} & set(nest.parallel) for nest in nests)


def scratch_program(chance: random.Random) -> str:
    """Turns that fill and read scratch in one of many ways, some of which hand it on to the next turn.

    No value grows from turn to turn: a sum in another order would differ by more than rounding from it.
    """
    end, low = chance.choice(["m"] * 6 + ["m - 1", "m / 2"]), chance.choice(["0"] * 5 + ["1"])
    fill = f"for (int k = {low}; k < {end}; k++) s[k{chance.choice([''] * 5 + [' / 2'])}] = a[i * m + k] * g;"
    if chance.random() < 0.2:
        fill = f"if ({chance.choice(['i == 0', 'a[i * m] > 0', 'i < n'])}) {{ {fill} }}"
    parts = [
        fill,
        "for (int k = 0; k < m; k++) g += s[k] / (4 * m);",
        "for (int k = 0; k < m; k++) g = s[k] > g ? s[k] : g;",
        "for (int k = 0; k < m; k++) s[k] = 0.25f * s[k] + 0.5f * g;",
        "for (int k = 0; k < m; k++) b[i * m + k] = s[m - 1 - k] - g;",
        "for (int c = 0; c < m; c++) { float l = 0; for (int k = 0; k <= c; k++) l += s[k] * a[i * m + k]; b[i * m + c] += l; }",
        chance.choice(
            ["t[0] += g;", "if (m > 1) t[1] = s[0];", "b[i * m] = g;", "for (int k = 0; k < m; k++) t[k] = s[k];"]
        ),
    ]
    chosen = [part for part in parts[:-1] if chance.random() < 0.7] + parts[-1:] * (chance.random() < 0.4)
    if chance.random() < 0.3:
        chance.shuffle(chosen)
    first = "float g = 0.25f;" if chance.random() < 0.8 else "float g = 0.5f * s[0];"
    before = chance.choice(["", "", "for (int k = 0; k < m; k++) s[k] = 0.125f * k;"])
    after = chance.choice(["", "", "", "t[0] += s[0];"])
    return program("\n".join([first, *chosen]), before=before, after=after)


def test_random_scratch_natively(make_task):
    require_right(
        lambda chance: make_task(scratch_program(chance), "f", bench_sizes=MANY_SHORT),
        seed_from="REGRAPHT_RANDOM_SCRATCH_FROM",
        is_parallel=lambda nests: any(nest.parallel[:1] == ["i"] for nest in nests),
        decide=lambda engine, task, _: steps(engine, task, []),
    )


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


@pytest.mark.slow
def test_all_of_them_are_right(make_task, bench):
    tasks = [make_task(WINDOW, "f", bench_sizes=({"heads": 8, "n": 4096, "w": 32},))]
    tasks += [make_task(text, "f", bench_sizes=TIMED) for text in (*APART.values(), *IN_ORDER.values())]
    tasks += [make_task(text, "f", bench_sizes=MANY_SHORT) for text in (*LAUNCHED.values(), *HANDED_ON.values())]
    tasks += [make_task(HEADS, "f", bench_sizes=HEADS_TIMED)]
    require_plain_right(tasks, bench)


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
