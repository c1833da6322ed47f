"""Nests that are joined and cut, and a row of threads that shares tiles; what must stay apart does."""

import pytest

from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices, reason_against

from ..judging import steps
from ..native.native_bench import Pair, native_differences

emulated = pytest.mark.slow  # every setting is judged on the emulator

CHAIN = """
void chain(int n, int m, const float* a, float* b, float* c) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) b[i * m + j] = 2.0f * a[i * m + j];
    for (int r = 0; r < n; ++r)
        for (int s = 0; s < m; ++s) c[r * m + s] = b[r * m + s] + a[r * m + s];
}
"""
NORM = """
double scaled_norm(int n, const double* a, double* b) {
    double total = 0.0;
    for (int i = 0; i < n; ++i) b[i] = 0.5 * a[i];
    for (int i = 0; i < n; ++i) total += b[i] * b[i];
    return total;
}
"""
TWO_SUMS = """
void two_sums(int n, const int* a, int* out) {
    int low = 0, high = 0;
    for (int i = 0; i < n; ++i) low += a[i] & 15;
    for (int k = 0; k < n; ++k) high += a[k] >> 4;
    out[0] = low;
    out[1] = high;
}
"""
OUTER = """
void outer_and_scale(int n, const float* a, float* b, float* c) {
    for (int i = 0; i < n; ++i) {
        b[i] = a[i] + 1.0f;
        for (int j = 0; j < n; ++j) c[i * n + j] = a[j] * b[i];
    }
}
"""
OUTER_SUM = """
void outer_and_sum(int n, const float* a, float* b, float* c) {
    for (int i = 0; i < n; ++i) {
        b[i] = a[i] + 1.0f;
        float sum = 0.0f;
        for (int j = 0; j < n; ++j) sum += a[j] * b[i];
        c[i] = sum;
    }
}
"""
THREE = """
void three(int n, const float* x, float* a, float* b, float* c) {
    for (int i = 0; i < n; ++i) {
        a[i] = 2.0f * x[i];
        const float half = 0.5f * x[i];
        b[i] = half + a[i];
        c[i] = b[i] * x[i];
    }
}
"""
BODIES = """
void pulls(int n, const float* x, const float* mass, float* force) {
    for (int i = 0; i < n; ++i) {
        float sum = 0.0f;
        for (int j = 0; j < n; ++j) {
            const float d = x[j] - x[i];
            sum += mass[j] * d / (d * d + 0.5f);
        }
        force[i] = sum;
    }
}
"""


@emulated
@pytest.mark.parametrize(
    ("text", "slugs", "kernels"),
    [
        (CHAIN, ["kernel_fusion"], 1),
        pytest.param(CHAIN, ["kernel_fusion", "vectorised_access", "streaming_stores"], 1, marks=pytest.mark.slow),
        pytest.param(CHAIN, ["kernel_fusion", "map_2d", "thread_coarsening"], 1, marks=pytest.mark.slow),
        (NORM, ["kernel_fusion", "warp_shuffle_reduction", "vectorised_access"], 2),
        pytest.param(TWO_SUMS, ["kernel_fusion", "block_reduction"], 2, marks=pytest.mark.slow),
        (OUTER, [], 2),  # the plain program has it apart: one part has many more threads
        pytest.param(OUTER, ["map_2d", "launch_bounds"], 2, marks=pytest.mark.slow),
        (OUTER_SUM, ["kernel_fission"], 2),
        (THREE, ["kernel_fission"], 2),
    ],
)
def test_joined_and_cut(text, slugs, kernels, judging):
    task = judging.task(text)
    source = judging.source(task, slugs)
    launched = [line for line in source.splitlines() if "<<<" in line and "scalars" not in line]
    assert len(launched) == kernels, source
    assert judging.faults(task, source, Level.FULL if len(slugs) == 1 else Level.SCREEN) == ""


@emulated
def test_every_cut(judging):
    task = judging.task(THREE)
    sources = {judging.source(task, ["kernel_fission"], setting) for setting in (0, 1)}
    assert len(sources) == 2
    for source in sources:
        assert "half" not in source.split("three_2_map")[0] or "half + a[i]" in source.split("three_2_map")[0]
        assert judging.faults(task, source, Level.SCREEN) == ""


NEIGHBOUR = CHAIN.replace("= b[r * m + s] +", "= b[(n - 1 - r) * m + s] +")
SHIFTED = """
void shifted(int n, float* a, float* b) {
    for (int i = 1; i < n; ++i) b[i] = a[i];
    for (int i = 1; i < n; ++i) a[i - 1] = 2.0f * b[i];
}
"""
SHORTER = CHAIN.replace("r < n", "r < n - 1")
BETWEEN = NORM.replace(
    "    for (int i = 0; i < n; ++i) total", "    b[0] = 1.0;\n    for (int i = 0; i < n; ++i) total"
)
STRANGERS = """
void two(int n, const float* a, float* b, const float* c, float* d) {
    for (int i = 0; i < n; ++i) b[i] = a[i];
    for (int i = 0; i < n; ++i) d[i] = c[i];
}
"""
NEEDS_ALL = """
void softened(int n, const double* a, double* b) {
    double total = 0.0;
    for (int i = 0; i < n; ++i) total += a[i];
    for (int i = 0; i < n; ++i) b[i] = a[i] / (total + 1000.0);
}
"""


@emulated
@pytest.mark.parametrize(
    ("text", "before", "rule", "why"),
    [
        (NEIGHBOUR, [], "kernel_fusion", "other points"),
        (SHIFTED, [], "kernel_fusion", "other points"),
        (SHORTER, [], "kernel_fusion", "other loops"),
        (BETWEEN, [], "kernel_fusion", "at once"),
        (NEEDS_ALL, [], "kernel_fusion", "other points"),
        (STRANGERS, [], "kernel_fusion", "shares no array"),
        (OUTER, [], "kernel_fusion", "no nest follows"),
        (CHAIN, ["map_2d"], "kernel_fusion", "changed it already"),
        (CHAIN, ["kernel_fusion"], "kernel_fission", "joined or cut already"),
        (BODIES, [], "kernel_fission", "local variable that both parts use"),
        (TWO_SUMS, [], "kernel_fission", "meet in updates"),
    ],
)
def test_what_stays_apart(text, before, rule, why, judging):
    assert why in judging.refusal(judging.task(text), before, rule)


@emulated
@pytest.mark.parametrize(
    "slugs", [["shared_memory_tiling"], ["shared_memory_tiling", "loop_unrolling", "block_size_tuning"]]
)
def test_a_row_of_threads_shares_tiles(slugs, judging):
    task = judging.task(BODIES)
    source = judging.source(task, slugs)
    assert "__shared__ __align__(16) float mass_tile[32];" in source and "x_tile2" not in source
    assert judging.faults(task, source, Level.FULL if len(slugs) == 1 else Level.SCREEN) == ""


@emulated
def test_a_row_of_threads_has_no_patch(judging):
    assert "in one row" in judging.refusal(judging.task(BODIES), ["shared_memory_tiling"], "register_tiling")


SQUARES = "".join(f"// shape: {name} = n * n\n" for name in "abd") + "// shape: x = n\n// check: n=1; n=2; n=5; n=40\n"
COLUMNS = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[j] = 0.5f * x[j] + a[i * n + j];"
ORDERED = {
    "a loop in order, then its result": COLUMNS + "for (int p = 0; p < n; p++) b[p] = x[p];",
    "a loop in order, then a neighbour": COLUMNS.replace("i < n", "i < n - 1")
    + "for (int p = 0; p < n - 1; p++) b[p] = x[p + 1];",
    "a read, then a loop in order": "for (int p = 0; p < n; p++) b[p] = x[p];" + COLUMNS,
    "an element and its mirror image": """
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] = 0.5f * d[i * n + j];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) d[j * n + i] = a[i * n + j] + 1.0f;""",
    "a sum, then what it read mirrored": """
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += 0.1f * a[i * n + j];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j * n + i] = b[i * n + j];""",
}
"""Two nests each: over their joined loops there would be an order, though a loop inside of these stays independent."""
JOINED = {
    "inside a loop of the launcher": """
        for (int t = 0; t < 3; t++) {
            for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] = 0.5f * a[i * n + j] + b[j * n + i];
            for (int p = 0; p < n; p++) for (int q = 0; q < n; q++) b[q * n + p] = 0.5f * a[p * n + q];
            for (int r = 0; r < n; r++) x[r] += b[r];
        }""",
    "rows, each in one thread": """
        for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) a[i * n + j] += a[i * n + j - 1];
        for (int i = 0; i < n; i++) x[i] = a[i * n + n - 1];""",
    "a sum of what was set": """
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] = 0.5f * d[j * n + i];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += 0.1f * a[i * n + j];""",
}


def squares(body, make_task):
    text = f"float f(int n, float* a, float* b, float* d, float* x) {{\nfloat s = 0.0f;\n{body}\nreturn s;\n}}"
    return make_task(SQUARES + text, "f")


@pytest.mark.parametrize("name", ORDERED)
def test_loops_that_would_have_an_order_stay_apart(name, make_task):
    engine, task = Engine(), squares(ORDERED[name], make_task)
    refusal = reason_against(engine.program(task, steps(engine, task, [])), BY_SLUG["kernel_fusion"])
    assert refusal is not None and "other points" in refusal


def test_whatever_is_joined_or_cut_is_right(make_task):
    engine, pairs, fused = Engine(), [], 0
    for body in (*ORDERED.values(), *JOINED.values()):
        task = squares(body, make_task)
        first = steps(engine, task, [])
        program = engine.program(task, first)
        made = [choice for slug in ("kernel_fusion", "kernel_fission") for choice in choices(program, BY_SLUG[slug])]
        fused += sum(choice.rule.slug == "kernel_fusion" for choice in made)
        pairs += [Pair(task, engine.text(task, (*first, choice.decision))) for choice in made]
    assert fused == len(JOINED)
    assert native_differences(pairs, choose_sandbox()) == {}
