"""Sums of floats at elements that data choose, each thread's in copies of its own: right, and in the same order in every call."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind
from regrapht.transform.rules import RULES
from regrapht.transform.rules.application import reason_against

from ..native.native_bench import Pair, native_differences

HEAD = """// shape: key = n
// shape: w = n
// shape: sum = bins
// shape: cells = 3 * bins + 1
// shape: count = bins
// shape: few = 5
// init: key = ints(0, bins)
// check: n=0,bins=1; n=1,bins=1; n=17,bins=2; n=33,bins=5; n=700,bins=33
#include <vector>
"""
PARAMETERS = "int n, int bins, const int* key, const float* w, float* sum, double* cells, int* count, float* few"
BODIES = {
    "one array": "for (int i = 0; i < n; ++i) sum[key[i]] += w[i];",
    "components": "for (int i = 0; i < n; ++i) for (int d = 0; d < 3; ++d) cells[3 * key[i] + d] += w[i] * d;",
    "beside a count": "for (int i = 0; i < n; ++i) { count[key[i]] += 1; sum[key[i]] += w[i]; }",
    "some of them": (
        "for (int i = 1; i < n; i += 2) { if (w[i] > 0) cells[key[i]] -= w[i] * w[i - 1]; few[key[i] % 5] += 1; }"
    ),
    "in a launched loop": (
        "for (int t = 0; t < 3; ++t) { for (int i = 0; i < n; ++i) sum[key[i]] += w[i]; sum[0] = sum[0] * 0.5f + few[t]; }"
    ),
    "a vector": (
        "std::vector<double> own(bins, 0.0); for (int i = 0; i < n; ++i) own[key[i]] += w[i];"
        "for (int b = 0; b < bins; ++b) sum[b] = own[b];"
    ),
}


def pair_of(make_task, body: str) -> Pair:
    task, engine = make_task(f"{HEAD}void f({PARAMETERS}) {{ {body} }}\n", "f"), Engine()
    return Pair(task, engine.text(task, engine.plain(task)))


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_threads_add_to_copies_without_atomics(body: str, make_task) -> None:
    source = pair_of(make_task, body).source
    assert "_copies<<<" in source and "_added<<<" in source and "atomic" not in source


def test_the_results_are_those_of_the_source(make_task) -> None:
    pairs = [pair_of(make_task, body) for body in BODIES.values()]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((said[:3], pairs[k].source) for k, said in wrong.items())


def test_no_rule_for_points_changes_it(make_task) -> None:
    task, engine = pair_of(make_task, BODIES["one array"]).task, Engine()
    program = engine.program(task, engine.plain(task))
    (nest,) = program.nests
    assert nest.kind is Kind.COPIES
    assert [rule.slug for rule in RULES if reason_against(program, rule) is None] == ["restrict_read_only"]
