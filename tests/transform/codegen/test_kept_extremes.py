"""Maxima and minima of floats at elements that data choose: atomics of the program's own, where no order of them shows."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices

from ..native.native_bench import Pair, native_differences

HEAD = """// shape: key = n
// shape: w = n
// shape: best = bins
// shape: wide = 2 * bins
// init: key = ints(0, bins)
// check: n=0,bins=1; n=1,bins=1; n=17,bins=2; n=33,bins=5; n=700,bins=33
#include <algorithm>
#include <cmath>
"""
PARAMETERS = "int n, int bins, const int* key, const float* w, float* best, double* wide"
LOOP = "for (int i = 0; i < n; ++i) { const float v = sqrtf(w[i]); STEP }"
"""Half of the values are no numbers."""
TAKEN = {
    "if": "if (v > best[key[i]]) best[key[i]] = v;",
    "if, mirrored, or equal": "const int b = key[i]; if (best[b] <= v) best[b] = v;",
    "a least value": "if (v < best[key[i]]) best[key[i]] = v;",
    "std::max": "best[key[i]] = std::max(best[key[i]], v);",
    "a choice": "best[key[i]] = best[key[i]] < v ? v : best[key[i]];",
    "doubles": "wide[2 * key[i]] = std::min(wide[2 * key[i]], (double)v);",
    "under a condition": "if (w[i] > 0.25f) { if (v > best[key[i]]) best[key[i]] = v; }",
    "a value that is no number to begin with": "if (i == 0) continue; if (v > best[key[i]]) best[key[i]] = v;",
}
ORDERED = {
    "std::max that takes what is no number": "best[key[i]] = std::max(v, best[key[i]]);",
    "a least and a largest value in one place": "if (v > best[key[i]]) best[key[i]] = v; if (2 * v < best[key[i]]) best[key[i]] = 2 * v;",
    "a value that is read": "if (v > best[key[i]]) best[key[i]] = v; wide[0] += best[key[i]];",
}


def text_of(step: str) -> str:
    before = "for (int b = 0; b < bins; ++b) if (b % 3 == 2) best[b] = sqrtf(-1.0f - b);" if "i == 0" in step else ""
    return f"{HEAD}void f({PARAMETERS}) {{ {before} {LOOP.replace('STEP', step)} }}\n"


@pytest.fixture
def pair_of(make_task):
    def made(step: str) -> Pair:
        task, engine = make_task(text_of(step), "f"), Engine()
        return Pair(task, engine.text(task, engine.plain(task)))

    return made


@pytest.mark.parametrize("step", TAKEN.values(), ids=TAKEN)
def test_threads_keep_the_best(step: str, pair_of) -> None:
    assert "_update<<<" in (source := pair_of(step).source) and "keep_" in source, source


def test_the_results_are_those_of_the_source(pair_of) -> None:
    pairs = [pair_of(step) for step in TAKEN.values()]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize("step", ORDERED.values(), ids=ORDERED)
def test_what_the_order_shows_in_stays_in_order(step: str, pair_of) -> None:
    assert "keep_" not in pair_of(step).source


def test_blocks_keep_copies(make_task) -> None:
    """Those of a block are combined with what the array holds."""
    task, engine, pairs = make_task(text_of(TAKEN["if"]), "f"), Engine(), []
    program = engine.program(task, engine.plain(task))
    assert [nest.kind for nest in program.nests] == [Kind.SCATTER]
    for choice in choices(program, BY_SLUG["shared_memory_histogram"])[:1]:
        pairs.append(Pair(task, engine.text(task, (*engine.plain(task), choice.decision))))
    assert pairs and "__shared__" in pairs[0].source
    assert not native_differences(pairs, choose_sandbox())


def test_the_judge_accepts_one(judging) -> None:
    text = "void f(int n, int k, const int* key, const float* v, float* best) {\n"
    text += "for (int b = 0; b < k; ++b) best[b] = -1e30f;\n"
    text += "for (int i = 0; i < n; ++i) if (v[i] > best[key[i]]) best[key[i]] = v[i];\n}\n"
    task = judging.task(text)
    assert judging.faults(task, judging.source(task, [])) == ""
