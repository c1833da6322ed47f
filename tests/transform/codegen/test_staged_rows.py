"""Rows of a block's points in shared memory: programs beside their references, and what is left alone."""

import random
from dataclasses import replace

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.records.expression import Expression
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.codegen.row_copies import longest, padded
from regrapht.transform.engine import Engine
from regrapht.transform.plan.schedule import SHARED_BYTES
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices, reason_against

from ..judging import steps
from ..native.native_bench import Pair, native_differences

SLUG = "memory_coalescing"
CHECK = "// check: n=1,d=1; n=0,d=3; n=3,d=2; n=33,d=0; n=33,d=33; n=70,d=7; n=300,d=4; n=65,d=450\n"
HEAD = "// shape: a = n*d\n// shape: out = n\n" + CHECK
FORM = HEAD + "void f(int n, int d, const float* a, const float* w, float* out) {BODY}\n// shape: w = d*d\n"
QUADRATIC = FORM.replace(
    "BODY",
    """
    for (int s = 0; s < n; ++s) {
        const float* x = a + (long long)s * d;
        float total = 0.0f;
        for (int i = 0; i < d; ++i) {
            float dot = 0.0f;
            for (int j = 0; j < d; ++j) dot += w[i * d + j] * x[j];
            total += 0.01f * x[i] * dot;
        }
        out[s] = total;
    }
""",
)
SUM = (
    HEAD
    + """void f(int n, int d, const T* a, T* out) {
    for (int s = 0; s < n; ++s) {
        T total = 0;
        for (int j = 0; j < d; ++j) total += a[s * d + j] * (j % 3 + 1);
        out[s] = total;
    }
}
"""
)
TWO = (
    HEAD
    + """// shape: b = n*d*3
// shape: c = n*d
void f(int n, int d, const double* b, const unsigned char* c, const float* a, float* out) {
    for (int s = 0; s < n; ++s) {
        float total = 0.0f;
        for (int j = 0; j < d; ++j)
            for (int k = 0; k < 3; ++k) total += (float)b[(s * d + j) * 3 + k] * a[s * d + d - 1 - j] * c[s * d + j];
        out[s] = total;
    }
}
"""
)
FIXED = (
    HEAD.replace("n*d", "n*20")
    + """void f(int n, int d, const short a[][20], int* out) {
    for (int s = n - 1; s >= 1; --s) {
        int best = d;
        for (int j = 1; j < 20; ++j)
            if (a[s][j] > a[s][j - 1]) best += j;
        out[s] = best;
    }
}
"""
)
DATA_BOUND = (
    HEAD
    + """// shape: count = n
// init: count = ints(0, d + 1)
void f(int n, int d, const float* a, const int* count, float* out) {
    for (int s = 2; s < n; ++s) {
        float total = 0.0f;
        for (int j = 0; j < d; ++j) {
            if (j >= count[s]) break;
            total = 0.5f * total + a[s * d + j];
        }
        out[s] = total;
    }
}
"""
)
WIDE = (
    HEAD
    + """#include <cstddef>
void f(size_t n, size_t d, const float* a, float* out) {
    for (size_t s = 0; s < n; ++s) {
        float last = 0.0f;
        for (size_t j = 0; j < d; ++j) last = 0.25f * last + a[s * d + (d - 1 - j)];
        out[s] = last;
    }
}
"""
)
TURNS = (
    HEAD.replace("n*d", "4*n*d")
    + """void f(int n, int d, const float* a, float* out) {
    for (int turn = 0; turn < 4; ++turn)
        for (int s = 0; s < n; ++s) {
            float last = out[s];
            for (int j = 0; j < d; ++j) last = 0.25f * last + a[s * d + j];
            out[s] = last;
        }
}
"""
)
PLANES = """// shape: a = n*d*e
// shape: out = n
// check: n=1,d=1,e=1; n=40,d=3,e=2; n=33,d=0,e=5; n=131,d=7,e=5; n=3,d=20,e=31
void f(int n, int d, int e, const float* a, float* out) {
    const int plane = d * e;
    for (int s = 0; s < n; ++s) {
        float last = 0.0f;
        for (int y = 0; y < d; ++y)
            for (int x = 0; x < e; ++x) last = 0.5f * last + a[s * plane + y * e + x];
        out[s] = last;
    }
}
"""
PROGRAMS = {
    "planes": PLANES,
    "quadratic": QUADRATIC,
    **{name: SUM.replace("T", name) for name in ("float", "double", "int", "short", "unsigned char", "long long")},
    "two": TWO,
    "fixed": FIXED,
    "data_bound": DATA_BOUND,
    "wide": WIDE,
    "turns": TURNS,
}
LATER = [
    "loop_unrolling",
    "restrict_read_only",
    "launch_bounds",
    "streaming_stores",
    "block_size_tuning",
    "constant_memory",
]


@pytest.fixture(scope="module")
def sandbox():
    try:
        return choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


def with_shapes(task: Task) -> Task:
    """The task with `n*d` elements as an array of two dimensions, which the engine takes for its extent."""
    args = [
        replace(arg, shape=tuple(Expression(part) for one in arg.shape for part in one.text.split("*")))
        for arg in task.args
    ]
    return replace(task, args=tuple(args))


def made(engine: Engine, task, setting: int, chance: random.Random) -> str:
    """A program with copied rows and some of the rules that go with them."""
    decisions = steps(engine, task, [SLUG], setting)
    for slug in chance.sample(LATER, 3):
        if found := choices(engine.program(task, decisions), BY_SLUG[slug]):
            decisions = (*decisions, chance.choice(found).decision)
    return engine.text(task, decisions)


def test_programs_equal_their_references(make_task, sandbox):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, engine, pairs = random.Random(seed), Engine(), []
    for text in PROGRAMS.values():
        task = with_shapes(make_task(text, "f"))
        pairs += [Pair(task, made(engine, task, setting, chance)) for setting in chance.sample(range(4), 2)]
    assert all("__syncthreads();" in pair.source for pair in pairs)
    wrong = native_differences(pairs, sandbox)
    assert not wrong, next((said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize(
    "name",
    [
        "quadratic",
        "two",
        *(pytest.param(one, marks=pytest.mark.slow) for one in PROGRAMS if one not in ("quadratic", "two")),
    ],
)
def test_programs_on_the_emulated_device(name, make_task, bench):
    task, engine = with_shapes(make_task(PROGRAMS[name], "f")), Engine()
    assert bench.differences(task, engine.text(task, steps(engine, task, [SLUG]))) == []


def refused(make_task, text: str, before: tuple[str, ...] = (), slug: str = SLUG, **changes) -> str:
    task, engine = make_task(text, "f", **changes), Engine()
    return reason_against(engine.program(task, steps(engine, task, before)), BY_SLUG[slug]) or "applies"


FLOATS = PROGRAMS["float"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FLOATS.replace("a[s * d + j]", "a[s * d + j + 1]"), "no rows"),
        (FLOATS.replace("j < d", "j <= d"), "no rows"),
        (FLOATS.replace("++s", "s += 2"), "does not go one by one"),
        (FLOATS.replace("a[s * d + j]", "a[(n - 1 - s) * d + j]"), "stay in the row of 's'"),
        (FLOATS.replace("a[s * d + j]", "a[j * n + s]"), "stay in the row of 's'"),
        (FLOATS.replace("a[s * d + j]", "a[s * d + j] * a[j]"), "stay in the row of 's'"),
        (FLOATS.replace("const float* a", "float* a").replace("out[s] = total", "a[s * d] = total"), "does not write"),
        (FLOATS.replace("for (int j = 0; j < d; ++j)", "const int j = 0; if (d > 0)"), "'a'"),
        (
            FLOATS.replace("shape: a = n*d", "shape: a = (n-1)*d+n*d").replace("total +=", "if (j < 2) total +="),
            "exist",
        ),
    ],
)
def test_what_is_left_alone(text, why, make_task):
    assert why in refused(make_task, text)


def test_rows_of_unknown_extent_are_copied_where_all_of_them_are_read(make_task):
    assert refused(make_task, FLOATS.replace("shape: a = n*d", "shape: a = (n-1)*d+n*d")) == "applies"


@pytest.mark.parametrize(
    ("later", "why"),
    [
        ("grid_stride_loop", "not numbered"),
        ("thread_coarsening", "one point a thread"),
        ("vectorised_access", "one point a thread"),
        ("block_reduction", "rows of their own"),
        ("warp_shuffle_reduction", "rows of their own"),
        ("shared_memory_tiling", "copy rows"),
        ("shared_memory_halo", "copy rows"),
        (SLUG, "copy rows already"),
    ],
)
def test_rules_that_do_not_go_with_it(later, why, make_task):
    assert why in refused(make_task, FLOATS, (SLUG,), later)


@pytest.mark.parametrize("before", ["grid_stride_loop", "thread_coarsening", "vectorised_access"])
def test_it_needs_one_point_a_thread(before, make_task):
    assert "several points" in refused(make_task, FLOATS, (before,))


@pytest.mark.parametrize(("length", "threads"), [(64, 128), (40, 256), (300, 32), (1000, None)])
def test_threads_follow_from_the_timed_size(length, threads, make_task):
    task, engine = make_task(FLOATS, "f", bench_sizes=({"n": 132 * 1024, "d": length},)), Engine()
    program = engine.program(task, steps(engine, task, []))
    found = [choice.decision.parameters["threads"] for choice in choices(program, BY_SLUG[SLUG])]
    assert (threads in found) if threads else not found
    assert all(length <= longest(int(many), 4) for many in found)


def test_every_extent_of_a_row_is_tested_at_run_time(make_task):
    task, engine = with_shapes(make_task(PLANES, "f")), Engine()
    source = engine.text(task, steps(engine, task, [SLUG]))
    assert "d >= 1 && e >= 1 && ((long long)d * e) <= 95" in source


def test_no_bank_is_used_twice_for_a_column():
    for size in (1, 2, 4, 8):
        for length in range(1, 200):
            pitch = padded(length, size)
            assert length <= pitch and pitch * size % 4 == 0
            lanes = 16 if size == 8 else 32
            assert len({lane * pitch * size // 4 % 32 for lane in range(lanes)}) == lanes
    for threads in (32, 64, 128, 1024):
        for size in (1, 2, 4, 8):
            most = longest(threads, size)
            assert padded(most, size) * threads * size <= SHARED_BYTES < padded(most + 1, size) * threads * size


@pytest.mark.slow
@pytest.mark.parametrize("text", [FLOATS, TWO, WIDE])
def test_the_judge_takes_it(text, judging):
    task = replace(judging.task(text), bench_sizes=({"n": 3000, "d": 9},))
    assert judging.faults(task, judging.source(task, [SLUG]), Level.SCREEN) == ""
