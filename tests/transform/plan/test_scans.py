"""Loops that append to an output, and searches that keep a place alone: run natively at many sizes."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import reason_against

from ..judging import steps
from ..native.native_bench import Pair, native_differences

SIZES = "// check: n=1; n=2; n=129; n=1000; n=70001\n"
APPENDED = """
int positive(int n, const float* x, float* kept, int* from) {
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] <= 0.0f) continue;
        from[used] = i;
        kept[used++] = 2.0f * x[i];
    }
    return used;
}
"""
TWO_EACH = """
void both_ends(int n, const int* x, int* ends, int* count) {
    int used = 0;
    for (int i = 0; i < n; i++) {
        ends[used++] = x[i];
        if (x[i] > 0) ends[used++] = -x[i];
    }
    count[0] = used;
}
"""
BY_PLACE = """
void last_smallest(int n, const double* x, int* where) {
    int at = 0;
    for (int i = 1; i < n; i++)
        if (x[2 * i + 1] <= x[2 * at + 1]) at = i;
    where[0] = at;
}
"""
BACKED = APPENDED.replace("kept[used++] = 2.0f * x[i];", "kept[used] = 2.0f * x[i]; used += x[i] > 1.0f ? 1 : 0;")
READ_BACK = APPENDED.replace("kept[used++] = 2.0f * x[i];", "kept[used] = x[i] + kept[0]; used++;")
OTHER_PLACE = BY_PLACE.replace("x[2 * at + 1]", "x[2 * at]")
OWN_ARRAY = BY_PLACE.replace("const double* x", "double* x").replace("at = i;", "{ at = i; x[0] = 1.0; }")
SHAPES = {
    "positive": "// shape: x = n\n// shape: kept = n\n// shape: from = n\n",
    "both_ends": "// shape: x = n\n// shape: ends = 2 * n\n// shape: count = 1\n",
    "last_smallest": "// shape: x = 2 * n\n// shape: where = 1\n// init: x = ints(-3, 4)\n",
}


def task_of(text, make_task):
    name = next(name for name in SHAPES if f" {name}(" in text)
    return make_task(SHAPES[name] + SIZES + text, name)


def test_places_that_a_scan_finds(make_task):
    engine, pairs = Engine(), []
    for text, slug in ((APPENDED, "block_scan"), (TWO_EACH, "block_scan"), (BY_PLACE, "warp_shuffle_reduction")):
        task = task_of(text, make_task)
        for setting in (0, 1):
            source = engine.text(task, steps(engine, task, [slug], setting))
            assert "runs in one thread" not in source
            pairs.append(Pair(task, source))
    assert native_differences(pairs, choose_sandbox()) == {}


@pytest.mark.parametrize(
    ("text", "slug", "why"),
    [
        (BACKED, "block_scan", "is no running sum"),
        (READ_BACK, "block_scan", "is no running sum"),
        (OTHER_PLACE, "warp_shuffle_reduction", "does not compare with one"),
        (OWN_ARRAY, "warp_shuffle_reduction", "no search"),
    ],
)
def test_what_only_looks_like_it(text, slug, why, make_task):
    engine, task = Engine(), task_of(text, make_task)
    assert why in reason_against(engine.program(task, steps(engine, task, [])), BY_SLUG[slug])


GUARDED = {
    "a way out before it": "if (n < 2) return; int k = 0; for (int i = 0; i < n; ++i) { k += x[i]; y[i] = k; } c[0] = k;",
    "a condition around it": "int k = 0; if (n > 100) { for (int i = 0; i < n; ++i) { k += x[i]; y[i] = k; } } c[0] = k;",
    "one loop or another": "int k = 1; if (n > 100) { for (int i = 0; i < n; ++i) { k += x[i]; y[i] = k; } } "
    "else { for (int i = 0; i < n; ++i) { k += 2 * x[i]; y[i] = k; } } c[0] = k;",
    "a condition on a remainder": "if (n % 2 == 0) { y[0] = x[0]; for (int i = 1; i < n; ++i) y[i] = y[i - 1] + x[i]; }",
    "an append": "if (n < 2) return; int k = 0; y[k++] = x[0]; for (int i = 1; i < n; ++i) if (x[i] != x[i - 1]) y[k++] = x[i]; c[0] = k;",
    "a place": "if (n < 2) { c[1] = -1; return; } int b = x[0], at = 0; "
    "for (int i = 1; i < n; ++i) if (x[i] < b) { b = x[i]; at = i; } c[0] = at; c[1] = b;",
}


def test_a_condition_around_the_loop_leaves_out_all_of_it_or_none(make_task):
    head = f"// shape: x = n\n// shape: y = n\n// shape: c = 4\n{SIZES}"
    engine, pairs = Engine(), []
    for name, body in GUARDED.items():
        task = make_task(f"{head}void f(int n, const int* x, int* y, int* c) {{ {body} }}\n", "f")
        decisions = engine.with_threads(task, engine.plain(task))
        assert not engine.in_one_thread(task, decisions), name
        pairs.append(Pair(task, engine.text(task, decisions)))
    assert native_differences(pairs, choose_sandbox()) == {}
