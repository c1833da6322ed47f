"""Minimum and maximum where a value is no number: generated programs choose as the source does."""

import re

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.ir.expressions import Variable
from regrapht.transform.ir.statements import Update, every
from regrapht.transform.reader.function_reader import read_function
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices
from regrapht.transform.rules.decisions import Decision

from .differential import assert_same
from .native.native_bench import Pair, native_differences

HEAD = """// shape: x = n * m
// shape: y = n * m
// check: n=1,m=1; n=33,m=7; n=130,m=5
#include <algorithm>
#include <cmath>
#define MOST(a, b) ((a) > (b) ? (a) : (b))
"""
SIGNATURE = "void f(int n, int m, const float* x, float* y)"

CLAMPS = {
    "if below": "if (v < 0.5f) v = 0.5f;\n if (v > 0.75f) v = 0.75f;",
    "if above, mirrored": "if (0.5f > v) v = 0.5f;\n if (0.75f <= v) v = 0.75f;",
    "std::max": "v = std::max(v, 0.5f);\n v = std::min(v, 0.75f);",
    "std::max, mirrored": "v = std::max(0.5f, v);\n v = std::min(0.75f, v);",
    "a macro": "v = MOST(v, 0.5f);",
    "a macro, mirrored": "v = MOST(0.5f, v);",
    "fmax": "v = fmaxf(v, 0.5f);\n v = std::fmin(0.75f, v);",
    "conditional": "v = v < 0.5f ? 0.5f : v;\n v = v >= 0.75f ? 0.75f : v;",
    "inside an expression": "v = 1 + std::max(std::min(v, 0.75f), std::max(0.5f, x[i]));",
    "a call on the other side": "v = std::max(v, sqrtf(x[i] + 0.5f));\n v = std::min(sqrtf(x[i]), v);",
    "a wider value": "const double wide = (double)x[i] * 1.5;\n if (wide > v) v = wide;",
    "std::clamp": "v = std::clamp(v, 0.5f, 0.75f);",
}
STEPS = {
    "if": "if (v > best) best = v;",
    "if, mirrored": "if (best <= v) best = v;",
    "std::max": "best = std::max(best, v);",
    "std::max, mirrored": "best = std::max(v, best);",
    "a macro": "best = MOST(best, v);",
    "fmax": "best = fmaxf(best, v);",
}


def clamp(body: str) -> str:
    return f"{HEAD}{SIGNATURE} {{\n for (int i = 0; i < n * m; i++) {{\n float v = sqrtf(x[i]);\n {body}\n y[i] = v;\n }}\n}}\n"


def running(step: str) -> str:
    """A row's maximum, which each thread finds in the source's order as long as no rule shares the row out."""
    inner = f"for (int k = 0; k < m; k++) {{\n const float v = sqrtf(x[i * m + k]);\n {step}\n }}"
    return f"{HEAD}{SIGNATURE} {{\n for (int i = 0; i < n; i++) {{\n float best = 0.25f;\n {inner}\n y[i] = best;\n }}\n}}\n"


def test_each_thread_chooses_as_the_source(make_task) -> None:
    assert_same(make_task, {name: clamp(body) for name, body in CLAMPS.items()})


def test_rows_in_the_order_of_the_source(make_task) -> None:
    engine, tasks = Engine(), [make_task(running(step), "f") for step in STEPS.values()]
    pairs = [Pair(task, engine.text(task, (map_to_threads(1),))) for task in tasks]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, (wrong, [pairs[k].source for k in wrong][:1])


def map_to_threads(*nests: int) -> Decision:
    return Decision(technique="map_to_threads", nests=nests, parameters={"block": 256})


WHOLE = """// shape: x = n
// check: n=1; n=1000
#include <cmath>
float f(int n, const float* x) {
    float best = FIRST, least = FIRST;
    for (int i = 0; i < n; i++) {
        const float v = sqrtf(x[i]);
        if (v > best) best = v;
        if (v < least) least = v;
    }
    return best + 10 * least;
}
"""
ROWS = """for (int i = 0; i < n; i++) {
        float best = sqrtf(x[i * m]);
        for (int k = 0; k < m; k++) if (x[i * m + k] > best) best = x[i * m + k];
        y[i] = best;
    }"""
SHARED = [
    (WHOLE.replace("FIRST", first), rule)
    for first in ("sqrtf(-1.0f)", "0.25f")
    for rule in (None, "block_reduction", "warp_shuffle_reduction", "two_stage_reduction")
] + [(f"{HEAD}{SIGNATURE} {{\n    {ROWS}\n}}\n", rule) for rule in ("block_reduction", "warp_shuffle_reduction")]


def test_a_nan_that_a_maximum_starts_from_stays_one(make_task) -> None:
    """NaN among the elements is dropped by `if (v > best)` in any order, so that all programs agree to the last one."""
    engine, pairs = Engine(), []
    for text, rule in SHARED:
        task = make_task(text, "f")
        decisions = (map_to_threads(*(nest.number for nest in engine.program(task, ()).nests)),)
        if rule is not None:
            decisions = (*decisions, choices(engine.program(task, decisions), BY_SLUG[rule])[0].decision)
        pairs.append(Pair(task, engine.text(task, decisions)))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, (wrong, next((SHARED[k], pairs[k].source) for k in wrong))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("if (x[i] > m) m = x[i];", ("max", "<")),
        ("if (m >= x[i]) m = x[i];", ("min", ">=")),
        ("m = m > x[i] ? m : x[i];", ("max", "!>")),
        ("m = x[i] < m ? m : x[i];", ("max", "!>")),
        ("m = std::max(m, x[i]);", ("max", "<")),
        ("m = std::max(x[i], m);", ("max", "!>")),
        ("m = std::min(m, x[i]);", ("min", ">")),
        ("m = std::min(x[i], m);", ("min", "!<")),
        ("m = std::fmax(m, x[i]);", ("max", "")),
    ],
)
def test_the_spelling_is_kept_with_the_reduction(step, expected) -> None:
    loop = f"#include <algorithm>\nvoid f(int n, float* x) {{ float m = 0; for (int i = 0; i < n; i++) {{ {step} }} x[0] = m; }}"
    updates = [s for s in every(read_function(loop, "f").body) if isinstance(s, Update) and s.target == Variable("m")]
    assert [(s.operator, s.test) for s in updates] == [expected]


def test_integers_are_compared_by_min_and_max(make_task) -> None:
    text = (
        "// shape: x = n\n// check: n=5\nvoid f(int n, int* x) { for (int i = 0; i < n; i++) if (x[i] < 0) x[i] = 0; }"
    )
    assert re.search(r"= max\(x\[i\], \(int\)\(0\)\)", Engine().text(make_task(text, "f"), (map_to_threads(1),)))
