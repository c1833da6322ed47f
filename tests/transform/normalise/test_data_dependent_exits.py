"""Loops that data end, in the launcher: it reads a flag where the source tests, and leaves."""

import random
import re

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.user_code import BuildFlags
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox
from regrapht.tasks.infer import infer_task
from regrapht.transform.engine import Engine

from ..judging import first_now
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right
from ..random_programs import random_decisions

HEAD = """// shape: a = n + 8
// shape: b = n + 8
// shape: c = n + 8
// check: n=0, most=3; n=1, most=0; n=7, most=1; n=300, most=40
#include <cmath>
#include <utility>
#include <vector>
static bool goes_further(float err, float least) { return err > least && !(err != err); }
"""
HALF = "err = 0; for (int i = 0; i < n; i++) { a[i] *= 0.5f; if (fabsf(a[i]) > err) err = fabsf(a[i]); }"
LOWER = "for (int i = 0; i < n; i++) if (c[i] > 0) { c[i]--; changed = true; }"
LESS = LOWER.replace("true", "1")
LAUNCHED = {
    "while changed": f"bool changed = true; while (changed) {{ changed = false; {LOWER} }}",
    "do while changed": f"bool changed; do {{ changed = false; {LOWER} }} while (changed);",
    "changed as a number": f"int changed = 1, turns = 0; while (changed != 0) {{ changed = 0; turns++; {LESS} }} c[n] = turns;",
    "until it is 0": f"int changed = 1; do {{ changed = 0; {LESS} if (changed == 0) break; b[n] += 1; }} while (true);",
    "a flag of the body's own": f"for (;;) {{ int changed = 0; {LESS} if (!changed) break; c[n] += 2; }} b[n] = 3;",
    "until sorted": "bool sorted = false; int rounds = 0; while (!sorted) { sorted = true; rounds++;"
    " for (int i = 0; i + 1 < n; i += 2) if (c[i] > c[i + 1]) { std::swap(c[i], c[i + 1]); sorted = false; }"
    " for (int i = 1; i + 1 < n; i += 2) if (c[i] > c[i + 1]) { std::swap(c[i], c[i + 1]); sorted = false; } } c[n] = rounds;",
    "until a tolerance": f"float err = 1e30f; while (err > 1e-3f) {{ {HALF} }} b[n] = err;",
    "no turn": f"float err = 0; int it = 7; while (err > 1e-3f) {{ {HALF} it++; }} c[n] = it; b[n] = err;",
    "a test of a loop behind": f"float err; int it = 0; do {{ {HALF} it++; }} while (err > 1e-3f); c[n] = it;",
    "a break in the middle": f"float err; for (;;) {{ {HALF} if (err < 1e-3f) break; for (int i = 0; i < n; i++) b[i] += a[i]; }}",
    "bounded": f"float err = 1; int it = 0; while (err > 1e-3f && it < most) {{ {HALF} it++; }} c[n] = it;",
    "bounded by a test that counts": f"float err = 1; int it = 0; while (it++ < most && err > 1e-3f) {{ {HALF} }} c[n] = it;",
    "a counter on": f"float err = 1; int it; for (it = 0; it < most; it++) {{ {HALF} if (err < 1e-2f) break; }} c[n] = it;",
    "a counter that is used": f"float err = 1; for (int it = 0; it < most && err > 1e-3f; it++) {{ {HALF} b[it % 8] += it;"
    " for (int i = 0; i < n; i++) b[i] += it * a[i]; }",
    "an unbounded counter": f"float err = 1; for (int it = 3; err > 1e-3f; it += 2) {{ {HALF}"
    " for (int i = 0; i < n; i++) b[i] += it * a[i]; }",
    "a counter from somewhere": f"float err = 1; for (int it = most * n + 1; err > 1e-3f; ++it) {{ {HALF} b[it % 8] += 1; }}",
    "a counter from one of two": f"float err = 1; for (int it = std::max(most, 2); err > 1e-3f; ++it) {{ {HALF} b[it % 8] += 1; }}",
    "what a break does": f"float err = 1; int it = 0; for (;;) {{ {HALF} it++; if (err < 1e-2f) {{ b[n] = it; it = -it; break; }}"
    " else { b[n + 1] += err; } c[n + 1]++; } c[n] = it;",
    "two ways out": f"float err = 1; int it = 0; for (;;) {{ if (it >= most) break; {HALF} it++; if (!(err > 1e-2f)) break;"
    " for (int i = 0; i < n; i++) b[i] += a[i]; } c[n] = it;",
    "a NaN ends it": f"float err = 1; a[0] = most > 2 ? NAN : 1.0f; while (err > 1e-3f) {{ {HALF}"
    " if (a[0] != a[0]) err = NAN; } b[n] = err;",
    "a NaN does not end it": f"float err = 1; int it = 0; while (!(err < 1e-3f) && it < 9) {{ {HALF}"
    " if (it == 2) err = NAN; it++; } c[n] = it; b[n] = err;",
    "a part of one": f"float err; double left = 0.9; while (left) {{ {HALF} left = left > 0.1 ? left - 0.25 : 0.0;"
    " if (left < 0) left = 0; } b[n] = left;",
    "a wide number": f"float err; long long left = 1ll << 42; while (left) {{ {HALF}"
    " left = c[n] < 99 ? (left >> 4) & ~3ll : 0; } b[n] = err;",
    "an element": f"float err; c[n] = 5; while (c[n] > 0) {{ {HALF} c[n] -= 2; }}",
    "a function's result": f"float err = 1; while (goes_further(err, 1e-2f)) {{ {HALF} }} b[n] = err;",
    "buffers that change places": "std::vector<float> now(n), old(n); for (int i = 0; i < n; i++) old[i] = a[i]; float err;"
    " do { err = 0; for (int i = 0; i < n; i++) { now[i] = 0.4f * (old[i] + old[i > 0 ? i - 1 : 0]);"
    " const float d = fabsf(now[i] - old[i]); if (d > err) err = d; } std::swap(now, old); } while (err > 1e-3f);"
    " for (int i = 0; i < n; i++) b[i] = old[i];",
    "in a loop of the launcher": f"for (int t = 0; t < most; t++) {{ float err = 1; while (err > 1e-2f) {{ {HALF} }}"
    " for (int i = 0; i < n; i++) a[i] = b[i] + 0.1f * t * a[i]; c[n]++; }",
    "one in another": f"int rounds = 0; bool more = true; while (more) {{ rounds++; bool changed = true; while (changed) {{"
    f" changed = false; {LOWER} }} more = false; for (int i = 0; i < n; i++) if (b[i] > 0) {{"
    " b[i] -= 0.3f; c[i] += 3; more = true; } } c[n] = rounds;",
    "a return": f"float err = 1; for (;;) {{ {HALF} if (err < 1e-2f) return; b[n] += 1; }}",
    "a second counter in the test": "int left = 9; for (int k = 1; left > 0 && k < most; k++) { left -= 2;"
    " for (int i = 0; i < n; i++) b[i] += left + k; }",
    "counting down": "int left = 3; while (left > 0) { left--; for (int i = 0; i < n; i++) b[i] += left;"
    " if (c[1] > 3) break; } c[n] = left;",
    "a changed bound": "int end = most; for (int k = 0; k < end && b[n] < 9; k++) { end--; b[n] += 0.1f;"
    " for (int i = 0; i < n; i++) b[i] += end; } c[n] = end;",
    "equal statements on a line": "int left = 3, turns = 0; while (left > 0) { left--; turns++; for (int i = 0; i < n; i++) b[i] += turns;"
    " if (c[0] > 0) { turns++; } if (c[1] > 3) break; } c[n] = turns;",
    "two, one after the other": f"bool changed = true; while (changed) {{ changed = false; {LOWER} }}"
    f" float err = 1; while (err > 1e-2f) {{ {HALF} }} b[n] = err;",
}
NOT_LAUNCHED = {
    "a break in a branch": f"float err = 1; for (;;) {{ {HALF} if (n > 3) {{ if (err < 1e-2f) break; b[n] += 1; }}"
    " else { if (err < 1e-3f) break; } }",
    "a thread for each row": "for (int i = 0; i < n; i++) { float err = 1; int it = 0; while (err > 1e-2f) { err = 0;"
    " for (int k = 0; k < most; k++) { a[i] *= 0.5f; err += fabsf(a[i]); } it++; } c[i] = it; }",
    "a counter from data": f"float err = 1; for (int it = c[0] * c[0]; err > 1e-3f; ++it) {{ {HALF} b[it % 8] += 1; }}",
    "turns that share scratch": "std::vector<float> s(n); for (int i = 0; i < most; i++) { float err = 1; while (err > 0.1f) {"
    " err *= 0.5f; for (int k = 0; k < n; k++) s[k] = a[k] + err * i; for (int k = 0; k < n; k++) b[i % 8] += s[k]; } }",
    "turns in order inside": "bool changed = true; while (changed) { changed = false;"
    " for (int i = 1; i < n; i++) if (c[i] < c[i - 1]) { c[i] = c[i - 1]; changed = true; } }",
    "few turns inside": "float err = 1; while (err > 1e-3f) { err = 0; for (int k = 0; k < 8; k++) { a[k] *= 0.5f;"
    " err += fabsf(a[k]); } }",
}

ALL = LAUNCHED | NOT_LAUNCHED


def task_with(make_task, body: str):
    return make_task(f"{HEAD}void f(int n, int most, float* a, float* b, int* c) {{\n{body}\n}}", "f")


def leaves_by_flag(text: str) -> bool:
    return "is_set(" in text or "is_not_set(" in text


@pytest.mark.parametrize("count", [12, pytest.param(len(ALL), marks=pytest.mark.slow)])
def test_candidates_do_what_the_loops_do(make_task, count: int) -> None:
    """Plain, or under random decisions, at length both; all compiled together. CI draws some loops."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, engine, pairs, told = random.Random(seed), Engine(), [], []
    for name in chance.sample(sorted(ALL), count):
        task = task_with(make_task, ALL[name])
        drawn = random_decisions(engine, task, chance)
        for decisions in (drawn[:1], drawn) if count == len(ALL) else (drawn[: chance.choice([1, None])],):
            pairs.append(Pair(task, engine.text(task, decisions)))
            told.append((name, [str(one) for one in decisions]))
            assert leaves_by_flag(pairs[-1].source) == (name in LAUNCHED), (name, pairs[-1].source)
    wrong = native_differences(pairs, choose_sandbox())
    shown = [f"{told[k]}: {said[:3]}\n{pairs[k].source}" for k, said in wrong.items()]
    assert not wrong, shown[0]


@pytest.mark.parametrize("kind", ["int", "unsigned", "long long"])
@pytest.mark.parametrize(
    "rows",
    [
        "r = 1; r + 1 < rows; ++r",
        "r = 1; r < rows - 1; ++r",
        "r = 1; rows > r + 1; r++",
        "r = 1; r + 2 <= rows; ++r",
    ],
)
def test_a_loop_whose_turns_are_threads_stays_so(tmp_path, kind: str, rows: str) -> None:
    """However its end is spelled: a launch a row, and a flag that is read after each, is far slower."""
    (tmp_path / "rows.cpp").write_text(
        f"void rows_of(const double* a, double* b, {kind} rows, {kind} cols) {{\n"
        f"    for ({kind} {rows})\n"
        f"        for ({kind} c = 1; c + 1 < cols; ++c) b[r * cols + c] = 0.5 * (a[(r - 1) * cols + c] + a[r * cols + c + 1]);\n}}\n"
    )
    task = infer_task(tmp_path / "rows.cpp", entry=None, flags=BuildFlags()).task
    text = TransformProposer().plain(task).source or ""
    assert not leaves_by_flag(text) and text.count("<<<") == 1, text


def test_what_the_launcher_says(make_task) -> None:
    def text(name: str) -> str:
        return TransformProposer().plain(task_with(make_task, LAUNCHED[name])).source or ""

    assert "while (is_set(changed)) {" in text("while changed")
    assert re.search(r"} while \(is_set\(\w+\)\);", text("do while changed"))
    assert "while (is_not_set(sorted)) {" in text("until sorted")
    assert "for (;;) {" in text("a break in the middle") and "if (!is_set(goes_on)) break;" in text("two ways out")
    assert "for (int it = 3;; it += 2) {" in text("an unbounded counter")
    assert "for (int it = 0; it < most; ++it) {" in text("a counter that is used")


JUDGED = {
    "components": """
void components(const int* to, int* label, int n, int degree) {
    for (int v = 0; v < n; v++) label[v] = v;
    int* next = new int[n];
    bool changed = true;
    while (changed) {
        changed = false;
        for (int v = 0; v < n; v++) {
            int least = label[v];
            for (int k = 0; k < degree; k++) {
                const int other = label[(v + to[v * degree + k] % 5 + n) % n];
                if (other < least) least = other;
            }
            if (least != label[v]) changed = true;
            next[v] = least;
        }
        for (int v = 0; v < n; v++) label[v] = next[v];
    }
    delete[] next;
}
""",
    "distances": """
void distances(const int* length, int* distance, int* next, int n) {
    for (int v = 0; v < n; v++) distance[v] = v == 0 ? 0 : 1 << 20;
    for (;;) {
        int changes = 0;
        for (int v = 0; v < n; v++) {
            int best = distance[v];
            for (int u = 0; u < n; u++) {
                const int way = distance[u] + 1 + (length[u * n + v] & 15);
                if (way < best) best = way;
            }
            if (best < distance[v]) changes++;
            next[v] = best;
        }
        for (int v = 0; v < n; v++) distance[v] = next[v];
        if (changes == 0) break;
    }
}
""",
    "jacobi": """
#include <cmath>
void jacobi(const float* f, float* u, float* next, int h, int w) {
    float err;
    do {
        err = 0.0f;
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++) {
                next[y * w + x] = 0.2f * (u[(y - 1) * w + x] + u[(y + 1) * w + x] + u[y * w + x - 1] + u[y * w + x + 1]) + f[y * w + x];
                err = fmaxf(err, fabsf(next[y * w + x] - u[y * w + x]));
            }
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++) u[y * w + x] = next[y * w + x];
    } while (err > 0.05f);
}
""",
    "brick_sort": """
void brick_sort(int* a, int n) {
    bool sorted = false;
    while (!sorted) {
        sorted = true;
        for (int first = 0; first < 2; first++)
            for (int i = first; i + 1 < n; i += 2)
                if (a[i] > a[i + 1]) {
                    const int larger = a[i];
                    a[i] = a[i + 1];
                    a[i + 1] = larger;
                    sorted = false;
                }
    }
}
""",
}


@pytest.mark.parametrize("name", first_now(list(JUDGED), 2))
def test_the_judge_takes_them(name, judging) -> None:
    task = judging.task(JUDGED[name])
    source = TransformProposer().plain(task).source
    assert source is not None and leaves_by_flag(source)
    assert judging.faults(task, source, Level.SCREEN) == ""


SURE = ("fuel > 0", "0 < fuel", "!(fuel <= 0)", "fuel > 0 ? 1 : 0")
DATA = (
    "err > least",
    "!(err < least)",
    "err == err",
    "changed",
    "changed != 0",
    "!calm",
    "c[n] < 3",
    "err * 2 > least && changed",
    "n > 1",
)
WORK = (
    HALF,
    HALF,
    "changed = 0; for (int i = 0; i < n; i++) if (c[i] > 0) { c[i] -= 2; changed = 1; }",
    "changed = 0; for (int i = 0; i < n; i++) { if (a[i] > b[i]) changed++; b[i] += 0.25f; }",
    "calm = true; for (int i = 0; i + 1 < n; i += 2) if (c[i] > c[i + 1]) { std::swap(c[i], c[i + 1]); calm = false; }",
    "for (int i = 0; i < n; i++) b[i] = 0.5f * a[i] + fuel;",
    "for (int i = 1; i < n; i++) c[i] += c[i - 1] % 7;",
    "err = 0; for (int i = 0; i < n; i++) err += 0.125f * b[i] * b[i];",
    "for (int t = 0; t < 3; t++) for (int i = 0; i < n; i++) a[i] += 0.1f * t;",
    "if (turns == 2) err = NAN;",
    "c[n] += 1;",
    "const float half = 0.5f * err; for (int i = 0; i < n; i++) a[i] -= half;",
)
DONE = ("", "", "b[n + 1] = err;", "c[n + 1] = turns; b[n + 2]++;")


def loop_of(chance: random.Random, depth: int) -> str:
    """A loop that makes a few turns at most, whatever the data: it is left by a count at some place, and by data at others."""
    parts = [f"{{ {chance.choice(WORK)} }}" for _ in range(chance.randint(1, 2))]
    if depth and chance.random() < 0.3:
        parts.insert(
            chance.randint(0, len(parts)), f"{{ int fuel = {chance.randint(0, 3)}; {loop_of(chance, depth - 1)} }}"
        )
    tests = [chance.choice(SURE), *chance.choices(DATA, k=chance.randint(0, 2))]
    chance.shuffle(tests)
    head = [one for one in tests if chance.random() < 0.6]
    for one in [one for one in tests if one not in head]:
        other = f" else {{ {chance.choice(DONE[2:])} }}" if chance.random() < 0.2 else ""
        parts.insert(chance.randint(0, len(parts)), f"if (!({one})) {{ {chance.choice(DONE)} break; }}{other}")
    parts.insert(chance.randint(0, len(parts)), "turns++;")
    if chance.random() < 0.3:
        counted = " && ".join(chance.sample([*head, "k < most"], len(head) + 1))
        return f"for (int k = {chance.randint(0, 2)}; {counted}; k++) {{ fuel--; {' '.join(parts)} a[k % 8] += k; }}"
    body = " ".join(["fuel--;", *parts])
    test = " && ".join(head) or chance.choice(["true", "1"])
    return (
        f"do {{ {body} }} while ({test});"
        if chance.random() < 0.3 and "fuel" in test
        else f"while ({test}) {{ {body} }}"
    )


def flagged_program(chance: random.Random) -> str:
    loops = [loop_of(chance, 1) for _ in range(chance.choice([1, 1, 2]))]
    start = f"int fuel = {chance.randint(0, 6)}, turns = 0; float err = 1, least = 0.05f; bool calm = false; int changed = 1;"
    return (
        f"{start}\n"
        + f"\nfuel = {chance.randint(1, 5)};\n".join(loops)
        + "\nb[n] = err; c[n + 2] = turns; c[n + 3] = fuel;"
    )


@pytest.mark.slow
def test_random_loops_natively(make_task) -> None:
    require_right(
        lambda chance: task_with(make_task, flagged_program(chance)),
        seed_from="REGRAPHT_RANDOM_FLAGS",
        is_parallel=lambda nests: any(nest.host_loops for nest in nests),
    )


def test_a_launch_that_is_refused_ends_the_loop(make_task) -> None:
    """Nothing would take the flag down: the run is wrong, but it ends."""
    pairs = []
    for name in ("while changed", "a break in the middle", "one in another"):
        task = task_with(make_task, LAUNCHED[name])
        source = TransformProposer().plain(task).source or ""
        pairs.append(Pair(task, re.sub(r"<<<blocks, \d+>>>", "<<<blocks, 4096>>>", source)))
        assert pairs[-1].source != source
    wrong = native_differences(pairs, choose_sandbox(), wall_s=60)
    assert all("a launch that cannot be" in str(wrong[k]) for k in range(len(pairs))), wrong
