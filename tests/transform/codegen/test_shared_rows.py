"""Rows that the warps of a block share: programs beside their references, and what is left alone."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

import regrapht.bench
from regrapht.records.verdict import Level
from regrapht.tasks.load import load_task
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from .test_staged_rows import refused, sandbox, with_shapes  # noqa: F401

SLUG = "warp_per_row"
CHECK = "// check: n=1,m=1,d=1; n=0,m=5,d=3; n=9,m=0,d=2; n=5,m=33,d=0; n=19,m=70,d=7; n=8,m=32,d=33; n=3,m=40,d=450\n"
HEAD = "// shape: a = n*d\n// shape: v = m*d\n// shape: w = m\n// shape: out = n\n" + CHECK
MACHINE = (
    HEAD
    + """void f(int n, int m, int d, const float* a, const T* v, const float* w, float* out) {
    for (int p = 0; p < n; ++p) {
        float score = 0.5f;
        for (int s = 0; s < m; ++s) {
            float far = 0.0f;
            for (int j = 0; j < d; ++j) {
                const float gap = a[p * d + j] - (float)v[s * d + j];
                far += gap * gap;
            }
            score += w[s] / (1.0f + far);
        }
        out[p] = score;
    }
}
"""
)
NEAREST = (
    HEAD
    + """// shape: u = m*d*3
// shape: seen = n*m
void f(int n, int m, int d, const float* a, const double* u, const unsigned char* v, int* seen, float* out) {
    for (int p = 0; p < n; ++p) {
        out[p] = -1.0f;
        for (int s = 0; s < m; ++s) {
            float dot = 0.0f;
            for (int j = 0; j < d; ++j) dot += a[p * d + d - 1 - j] * (float)u[(s * d + j) * 3 + 1] * v[s * d + j];
            seen[p * m + s] = dot > 0.0f;
            out[p] = out[p] > dot ? out[p] : dot;
        }
        int count = 0;
        for (int s = 0; s < m; ++s) count += seen[p * m + s];
        out[p] += count;
    }
}
"""
)
TWO_LOOPS = (
    HEAD
    + """// shape: u = (m+1)*d
void f(int n, int m, int d, const float* a, const double* u, const short* v, float* out) {
    for (int p = 0; p < n; ++p) {
        double most = 0.0;
        float total = 0.0f;
        for (int s = m; s >= 1; --s) {
            double at = 0.0;
            for (int j = 0; j < d; ++j) at = 0.5 * at + u[s * d + j] * a[p * d + j];
            most = most > at ? most : at;
        }
        for (int s = 0; s < m; ++s)
            for (int j = 0; j < d; ++j) total += v[s * d + j] * (float)(most + j);
        out[p] = total + (float)most;
    }
}
"""
)
TRIANGLE = (
    HEAD.replace("v = m*d", "v = n*d")
    + """void f(int n, int m, int d, const float* v, float* out) {
    for (int p = 0; p < n; ++p) {
        float total = 0.0f;
        for (int s = 0; s <= p; ++s) {
            float last = 0.0f;
            for (int j = 0; j < d; ++j) last = 0.25f * last + v[s * d + j];
            total += last * (p - s + 1);
        }
        out[p] = total;
    }
}
"""
)
BATCH = (
    HEAD.replace("out = n", "out = 3*n")
    + """#include <cstddef>
void f(size_t n, size_t m, size_t d, const float* v, const float* w, float* out) {
        for (size_t b = 0; b < 3; ++b)
            for (size_t p = 0; p < n; ++p) {
                float total = out[b * n + p];
                for (size_t s = 0; s < m; s += 2) {
                    float last = 0.0f;
                    for (size_t j = 0; j < d; ++j) last = 0.25f * last + v[s * d + (d - 1 - j)];
                    total += w[s] * last * (float)(b + p);
                }
                out[b * n + p] = 0.5f * total;
            }
}
"""
)
FIXED = (
    HEAD.replace("v = m*d", "v = m*20")
    + """void f(int n, int m, int d, const int* a, const int v[][20], int* out) {
    for (int p = 0; p < n; ++p) {
        int best = d;
        for (int s = 0; s < m; ++s) {
            int met = 0;
            for (int j = 1; j < 20; ++j)
                if (v[s][j] > v[s][j - 1] + p) met += j;
            best = best > met ? best : met;
        }
        out[p] = best;
    }
}
"""
)
PROGRAMS = {
    **{f"machine_{name}": MACHINE.replace("T*", f"{name}*") for name in ("float", "double", "unsigned char")},
    "nearest": NEAREST,
    "two_loops": TWO_LOOPS,
    "triangle": TRIANGLE,
    "batch": BATCH,
    "fixed": FIXED,
}
FLOATS = PROGRAMS["machine_float"]
LATER = ["loop_unrolling", "restrict_read_only", "launch_bounds", "streaming_stores"]


def test_programs_equal_their_references(make_task, sandbox):  # noqa: F811
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, engine, pairs = random.Random(seed), Engine(), []
    for text in PROGRAMS.values():
        task = with_shapes(make_task(text, "f"))
        decisions = steps(engine, task, [SLUG], chance.randrange(3))
        pairs.append(Pair(task, engine.text(task, decisions)))
        for slug in chance.sample(LATER, 2):
            if found := choices(engine.program(task, decisions), BY_SLUG[slug]):
                decisions = (*decisions, chance.choice(found).decision)
        pairs.append(Pair(task, engine.text(task, decisions)))
    assert all("_rows[" in pair.source and "__syncthreads();" in pair.source for pair in pairs)
    wrong = native_differences(pairs, sandbox)
    assert not wrong, next((said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize(
    "name", ["nearest", *(pytest.param(one, marks=pytest.mark.slow) for one in PROGRAMS if one != "nearest")]
)
def test_programs_on_the_emulated_device(name, make_task, bench):
    task, engine = with_shapes(make_task(PROGRAMS[name], "f")), Engine()
    assert bench.differences(task, engine.text(task, steps(engine, task, [SLUG]))) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FLOATS.replace("v[s * d + j]", "v[p * d + j]"), "stay in the row of 's'"),
        (FLOATS.replace("v[s * d + j]", "v[s * d + j + 1]"), "'v'"),
        (FLOATS.replace("v[s * d + j]", "v[j * m + s]"), "stay in the row of 's'"),
        (FLOATS.replace("v[s * d + j]", "v[s * d + j] * (float)v[p]"), "stay in the row of 's'"),
        (FLOATS.replace("for (int j = 0; j < d; ++j)", "const int j = p % d;"), "'v'"),
        (FLOATS.replace("s < m", "s < 16"), "has only 16 iterations"),
        (FLOATS.replace("const float* w", "int* const w").replace("s < m", "s < w[p]"), "data bound"),
        (FLOATS.replace("score += w[s]", "score = 0.5f * score + w[s]"), "dependences that are not a reduction"),
        (FLOATS.replace("const float* v", "float* v").replace("out[p] = score", "v[p * d] = score"), ""),
        (
            FLOATS.replace("shape: v = m*d", "shape: v = (m-1)*d+m*d").replace(
                "- (float)v[s * d + j];", "; if (j < 2) far += v[s * d + j];"
            ),
            "exist",
        ),
    ],
)
def test_what_is_left_alone(text, why, make_task):
    found = refused(make_task, text, (), SLUG)
    assert found != "applies" and why in found


def test_rows_along_which_the_points_lie_are_left_alone(make_task):
    """Threads a point read these side by side already."""
    text = HEAD + (
        "void f(int n, int m, int d, const float* v, const float* w, float* out) {\n"
        "    for (int p = 0; p < d; ++p) {\n        float total = 0.0f;\n"
        "        for (int s = 0; s < m; ++s)\n            for (int j = 0; j < 2; ++j) total += w[s] * v[s * d + p];\n"
        "        out[p] = total;\n    }\n}\n"
    )
    assert "neighbouring" in refused(make_task, text.replace("out = n", "out = d"), (), SLUG)


@pytest.mark.parametrize(
    ("later", "why"),
    [
        ("block_size_tuning", "takes a row"),
        ("memory_coalescing", "copy rows already"),
        ("warp_shuffle_reduction", "combine their results already"),
        ("block_reduction", "combine their results already"),
        ("thread_coarsening", ""),
        ("vectorised_access", ""),
        ("map_2d", ""),
        (SLUG, "copy rows already"),
    ],
)
def test_rules_that_do_not_go_with_it(later, why, make_task):
    found = refused(make_task, FLOATS, (SLUG,), later)
    assert found != "applies" and why in found


@pytest.mark.parametrize(("length", "fits"), [(8, False), (9, True), (383, True), (384, False)])
def test_rows_fit_at_the_timed_size(length, fits, make_task):
    sizes = ({"n": 4096, "m": 512, "d": length},)
    assert (refused(make_task, FLOATS, (), SLUG, bench_sizes=sizes) == "applies") is fits


def test_rows_that_turn_out_too_long_are_read_from_memory(make_task):
    task, engine = with_shapes(make_task(FLOATS, "f")), Engine()
    source = engine.text(task, steps(engine, task, [SLUG]))
    assert "if (d >= 1 && d <= 383) {" in source and source.count("<<<") == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["machine_float", "nearest", "triangle"])
def test_the_judge_takes_it(name, judging):
    task = replace(judging.task(PROGRAMS[name].replace("d=450", "d=90")), bench_sizes=({"n": 400, "m": 90, "d": 9},))
    assert judging.faults(task, judging.source(task, [SLUG]), Level.SCREEN) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dense_la/rbf_predict", "dense_la/mahalanobis", "deep_learning/binary_dense"])
def test_the_judge_takes_shipped_tasks_in_full(name, judging):
    task = load_task(Path(regrapht.bench.__file__).parent / "suites" / "cudaeval" / name)
    assert judging.faults(task, judging.source(task, [SLUG])) == ""
