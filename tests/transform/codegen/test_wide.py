"""Wide accesses: what counts as one stretch of memory, what guards it, and random functions over interleaved arrays."""

import os
import random

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import DoesNotApply, choices
from regrapht.transform.rules.decisions import Decision

from ..native.native_bench import Pair, native_differences
from ..random_programs import random_decisions
from ..random_strides import RandomStrides

PROGRAMS = int(os.environ.get("REGRAPHT_RANDOM_STRIDES", "30"))
A_FILE = 30


def decided(*steps: tuple[str, dict]) -> tuple[Decision, ...]:
    return tuple(Decision(technique=slug, nests=(1,), parameters=values) for slug, values in steps)


PLAIN = ("map_to_threads", {"block": 64})
VECTOR = ("vectorised_access", {"width": 4})
BLEND = """// shape: s = 4 * n
// shape: d = 3 * n
// check: n=1; n=4; n=35; n=1000
void blend(int n, const unsigned char* s, unsigned char* d) {
    while (n--) {
        unsigned keep = 255u - s[3];
        d[0] = (unsigned char)((s[0] * 17u + d[0] * keep) / 255u);
        d[1] = (unsigned char)((s[1] * 17u + d[1] * keep) / 255u);
        d[2] = (unsigned char)((s[2] * 17u + d[2] * keep) / 255u);
        s += 4;
        d += 3;
    }
}
"""
CELLS = """// shape: raw = 4 * h * w
// shape: half = h * w
// check: h=1,w=1; h=3,w=8; h=5,w=7
void cells(int h, int w, const unsigned short* raw, float* half) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const unsigned short* even = raw + 2 * y * (2 * w);
            const unsigned short* odd = even + 2 * w;
            half[y * w + x] = 0.25f * (even[2 * x] + even[2 * x + 1] + odd[2 * x] + odd[2 * x + 1]);
        }
}
"""
WHERE = """// shape: u = n
// shape: v = n
// shape: cells = 16
// check: n=1; n=5; n=64; n=1001
void where(int n, const float* u, const float* v, int* cells) {
    for (int i = 0; i < n; i++) {
        if (u[i] < 0.0f) continue;
        if (v[i] < 0.0f) continue;
        cells[(int)(3.0f * u[i]) * 4 + (int)(3.0f * v[i])] += 1;
    }
}
"""
BEYOND = WHERE.replace("// shape: v = n\n", "// shape: v = n / 2 + 1\n").replace(
    "if (u[i] < 0.0f)", "if (u[i] < 0.0f || i > n / 2)"
)
DOWN = """// shape: q = n
// shape: y = n
// check: n=2; n=9; n=64; n=1003
void down(int n, const float* q, float* y) {
    for (int i = n - 2; i > 0; i--) y[i] = q[i] - 0.5f * q[q[i] > 0.0f ? i - 1 : i + 1];
}
"""
PARTLY = """// shape: a = 3 * n
// shape: y = 2 * n
// check: n=1; n=9; n=64
void partly(int n, const float* a, float* y) {
    for (int i = 0; i < n; i++) y[2 * i] = a[3 * i] + a[3 * i + 1];
}
"""
FINE = [
    (BLEND, ["uint4", "unsigned int*", "d_lanes[3 * lane + 2]"]),
    (CELLS, ["raw_lanes2", "uint4", "float4", "w % 4 == 0"]),
    (WHERE, ["u_lanes", "v_lanes", "atomicAdd"]),
    (DOWN, ["q_lanes[lane] - 0.5f * q[", "y_lanes"]),
]


@pytest.fixture(scope="module")
def natively():
    sandbox = choose_sandbox()
    return lambda pairs: native_differences(pairs, sandbox)


@pytest.mark.parametrize(("text", "expected"), FINE, ids=["blend", "cells", "where", "down"])
def test_stretches(text, expected, make_task, natively):
    task = make_task(text, text.split("void ")[1].split("(")[0])
    source = Engine().text(task, decided(PLAIN, VECTOR))
    assert all(part in source for part in expected), source
    assert natively([Pair(task, source)]) == {}


@pytest.mark.parametrize(
    ("text", "absent"),
    [(BEYOND, "v_lanes"), (PARTLY, "reinterpret_cast")],
    ids=["read that data decides, beyond the array", "elements of a point that nothing touches"],
)
def test_what_may_not_be_there_is_not_touched(text, absent, make_task):
    engine, task = Engine(), make_task(text, text.split("void ")[1].split("(")[0])
    try:
        source = engine.text(task, decided(PLAIN, VECTOR))
    except DoesNotApply:
        return
    assert absent not in source


FEW = """// shape: y = 3 * n
// check: n=1; n=9
void few(int n, float* y) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) y[3 * i + c] = 0.5f * i + c;
}
"""


GAPS = """// shape: y = 4 * n
// check: n=1; n=9; n=64
void gaps(int n, float* y) {
    for (int i = 0; i < n; i++) {
        for (int k = 2; k < 4; k++) y[4 * i + k] = 0.5f * i + k;
        for (int k = 0; k < 1; k++) y[4 * i + k] = 0.25f * i;
    }
}
"""


def test_loops_of_one_name_have_values_of_their_own(make_task):
    """Element 1 of each point is never written, and so must not be stored."""
    with pytest.raises(DoesNotApply, match="no array is touched"):
        Engine().text(make_task(GAPS, "gaps"), decided(PLAIN, VECTOR))


def test_a_group_has_to_fit_into_its_loop(make_task):
    with pytest.raises(DoesNotApply, match="only 3 iterations"):
        Engine().text(make_task(FEW, "few"), decided(PLAIN, VECTOR))


TOTAL = """// shape: x = n
// check: n=3; n=70000; n=300001
float total(int n, const float* x) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += (float)((int)(4.0f * x[i]));
    return sum;
}
"""
SCALED = """// shape: x = n
// shape: y = n
// check: n=3; n=70000; n=300001
void scaled(int n, const float* x, float* y) {
    for (int i = 0; i < n; i++) y[i] = 2.0f * x[i] + y[i];
}
"""
UNROLL = ("loop_unrolling", {"factor": 4})


def test_several_turns_of_a_stride_loop_at_once(make_task, natively):
    """With so many points that threads come round more often than they take turns at once."""
    total, scaled = make_task(TOTAL, "total"), make_task(SCALED, "scaled")
    shuffle = ("warp_shuffle_reduction", {"threads": 128})
    stride = ("grid_stride_loop", {"blocks": 264})
    wide = ("vectorised_access", {"width": 2})
    pairs = [
        Pair(task, Engine().text(task, decided(PLAIN, *steps)))
        for task, steps in (
            (total, [shuffle, UNROLL]),
            (total, [shuffle, wide, UNROLL]),
            (scaled, [stride, UNROLL]),
            (scaled, [stride, wide, UNROLL]),
        )
    ]
    for pair in pairs:
        assert "+ 3 * stride <" in pair.source, pair.source
    assert "< whole; point += 4 * stride" in pairs[1].source
    assert natively(pairs) == {}


def test_random_strides(make_task, natively):
    """`REGRAPHT_RANDOM_STRIDES` says how many programs."""
    start = int(os.environ.get("REGRAPHT_RANDOM_STRIDES_FROM", random.randrange(2**32)))
    print(f"seeds from {start}")
    wide = 0
    for first in range(start, start + PROGRAMS, A_FILE):
        pairs = []
        for seed in range(first, min(first + A_FILE, start + PROGRAMS)):
            chance, engine = random.Random(seed), Engine()
            task = make_task(RandomStrides(seed).text(), "strides")
            pairs.append(Pair(task, engine.text(task, _decisions(engine, task, chance))))
        wide += sum("reinterpret_cast" in pair.source for pair in pairs)
        faults = natively(pairs)
        shown = [
            f"seed {first + k}: {said[:2]}\n{pairs[k].task.reference.source.text}\n{pairs[k].source}"
            for k, said in faults.items()
        ]
        assert not shown, shown[0]
    print(f"{wide} of {PROGRAMS} with wide accesses")
    assert wide > PROGRAMS / 3


def _decisions(engine, task, chance):
    """Mostly wide accesses, soon after the plain mapping, and others around them."""
    if chance.random() < 0.25:
        return random_decisions(engine, task, chance)
    decisions = (chance.choice(choices(engine.program(task, ()), BY_SLUG["map_to_threads"])).decision,)
    around = [
        "loop_interchange",
        "grid_stride_loop",
        "shared_memory_histogram",
        "warp_shuffle_reduction",
        "thread_coarsening",
    ]
    order = [
        *chance.sample(around, 2),
        "vectorised_access",
        "loop_unrolling",
        chance.choice(["streaming_stores", "restrict_read_only"]),
    ]
    chance.shuffle(order)
    for slug in order:
        if found := choices(engine.program(task, decisions), BY_SLUG[slug]):
            decisions = (*decisions, chance.choice(found).decision)
    return decisions
