"""Tables that data choose elements of: copied by each block, used by its threads, and left where they are where they turn out too long."""

import pytest

from regrapht.records.verdict import Level
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices, reason_against

from ..conftest import task_of
from ..judging import steps

RULE = "shared_lookup_table"
PRICED = """// shape: code = n
// shape: rate = m + 1
// shape: book = m
// shape: seen = n
// shape: out = n
// init: code = ints(0, m)
// init: seen = ints(0, n)
// check: n=1, m=1; n=300, m=7000; n=70, m=9; n=999, m=40
void priced(int n, int m, const int* code, const short* rate, const double* book, const int* seen, double* out) {
    for (int i = 0; i < n; ++i) {
        const int c = code[i];
        double sum = book[c] * rate[c + 1] + rate[0];
        for (int k = c; k >= 0; k -= 5) sum += book[k];
        out[i] = sum + code[seen[i]];
    }
}
"""
AFFINE = """// shape: x = n
// shape: y = n
// check: n=64
void f(int n, const int* x, int* y) {
    for (int i = 0; i < n; ++i) y[i] = x[i] + x[0];
}
"""
PLAIN = """// shape: code = n
// shape: curve = m
// shape: x = n
// shape: y = n
// init: code = ints(0, m)
// check: n=1, m=1; n=1000, m=16
void f(int n, int m, const int* code, const float* curve, const float* x, float* y) {
    for (int i = 0; i < n; ++i) y[i] = curve[code[i]] * x[i];
}
"""
LONG = PRICED.replace("n=999, m=40", "n=40000, m=40000")
WRITTEN = """// shape: code = n
// shape: out = n
// init: code = ints(0, n)
// check: n=64
void f(int n, const int* code, int* out) {
    for (int i = 0; i < n; ++i) { int s = 0; for (int k = 0; k < 9; ++k) s += out[code[k] % (i + 1)] > 3; out[i] = s; }
}
"""


@pytest.mark.parametrize(
    "later", [[], ["restrict_read_only"], ["streaming_stores", "block_size_tuning"], ["launch_bounds"]]
)
def test_candidates_do_what_the_function_does(bench, later):
    """At sizes with tables that fit and with those that do not, which the launcher tells apart."""
    engine, task = Engine(), task_of(PRICED, "priced")
    for setting in (0, 3) if not later else (0,):
        text = engine.text(task, steps(engine, task, [RULE, *later], setting))
        assert text.count("<<<") == 2 and "extern __shared__ double book_block[]" in text
        assert "rate_block[c + 1]" in text and "code_block" in text.partition("extern")[2]
        assert bench.differences(task, text) == []


def test_wide_accesses_beside_tables(bench):
    engine, task = Engine(), task_of(PLAIN, "f")
    text = engine.text(task, steps(engine, task, [RULE, "vectorised_access"]))
    assert "curve_block[" in text and "float4" in text
    assert bench.differences(task, text) == []


def test_the_judge_finds_no_fault(judging):
    task = task_of(PLAIN.replace("code[i]", "(code[i] & 0x7fffffff) % m"), "f")  # it draws other numbers too
    source = judging.source(task, [RULE])
    assert judging.faults(task, source, Level.SCREEN) == ""


@pytest.mark.parametrize(
    ("text", "before", "why"),
    [
        (AFFINE, [], "places that data choose"),
        (LONG, [], "no array of at most 24576 bytes"),
        (WRITTEN, [], "runs in one thread"),
        (PRICED, [RULE], "copy tables already"),
        (PRICED, ["grid_stride_loop"], "not numbered one a thread"),
        (PRICED, ["thread_coarsening"], "not numbered one a thread"),
    ],
)
def test_why_not(text, before, why):
    engine, task = Engine(), task_of(text, "priced" if "priced" in text else "f")
    assert why in (reason_against(engine.program(task, steps(engine, task, before)), BY_SLUG[RULE]) or "")


def test_points_that_are_spread_in_this_way_are_not_spread_in_another():
    engine, task = Engine(), task_of(PRICED, "priced")
    program = engine.program(task, steps(engine, task, [RULE]))
    for slug in (
        "map_2d",
        "thread_coarsening",
        "grid_stride_loop",
        "shared_memory_tiling",
        "memory_coalescing",
        "warp_per_row",
        "block_reduction",
    ):
        assert not choices(program, BY_SLUG[slug]), slug
