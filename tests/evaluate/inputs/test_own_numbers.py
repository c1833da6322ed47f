"""Numbers of a program's own text among its inputs and sizes."""

import random
from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.cases.sizes import own_sizes
from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.inputs.own_numbers import (
    between,
    beyond_labels,
    beyond_own_numbers,
    numbers_in,
    with_own_numbers,
)
from regrapht.records.task import Init

TEXT = """// 11.5 in a comment
#define MARK 0x2A
const char* s = "77";
__global__ void k(int n, const float* x1) { if (x1[n] == 0.7265625f || n == 1777u) return; float y = .5e1; }
"""


def test_the_numbers_of_a_text():
    assert numbers_in(TEXT) == (42.0, 0.7265625, 1777.0, 5.0)
    assert len(numbers_in(" ".join(f"{i};" for i in range(1000)))) == 32


def test_numbers_that_a_text_computes_of_numbers():
    text = "if (x == 40 + 2 || n > (1 << 20) || m == 3*5-2 || 7 / 2 == k || 1.5f * 2 < y || 2 + 3 << 4) z = n - 1 + w; f(1 / 0);"
    found = numbers_in(text)
    assert {42.0, 1048576.0, 13.0, 3.0, 80.0} <= set(found)
    assert not {2**64, 63.0} & set(numbers_in("1 << 64, 8 >> 0x, 64 -"))


def test_they_stand_in_arrays_whose_range_has_them(build):
    ints = Init(kind="integers", parameters={"low": 0, "high": 50})
    args = (
        build.size("n"),
        build.array("x", "n", "in"),
        build.array("k", "n", "in", dtype="int32", init=ints),
        build.array("y", "n", "out"),
    )
    task = build.task("f", "void f(int n, const float* x, const int* k, float* y) {}", args, ({"n": 500},))
    base = draw(task, Case(sizes={"n": 500}, family=Family.DECLARED), secret=3, index=0)
    placed = with_own_numbers(task, base, numbers_in(TEXT), np.random.default_rng(5))
    x, k = placed.arrays["x"], placed.arrays["k"]
    assert {0.7265625, -0.7265625, 1777.0, 42.0} <= set(x.tolist())
    assert {42, 5} <= set(k.tolist()) and k.max() < 50
    in_a_row = np.flatnonzero((k[:-1] == 42) & (k[1:] == 5))
    assert in_a_row.size, "in the order of the text, beside each other"
    assert with_own_numbers(task, base, (1e30,), np.random.default_rng(5)) is None


def test_what_lies_between_two_numbers_and_floats_of_a_number_of_bits(build):
    assert between([0.5, 0.25, -3, 7, 0, -2, 8]) == [-2.5, 0.375, 7.5]
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", "void f(int n, const float* x, float* y) {}", args, ({"n": 500},))
    base = draw(task, Case(sizes={"n": 500}, family=Family.DECLARED), secret=3, index=0)
    numbers = numbers_in("if (x[i] > 0.7310f && x[i] < 0.7311f || __float_as_uint(x[i]) == 0x3f3b1e42) f();")
    placed = with_own_numbers(task, base, numbers, np.random.default_rng(5)).arrays["x"]
    assert ((placed > np.float32(0.7310)) & (placed < np.float32(0.7311))).sum() >= 3
    assert 0x3F3B1E42 in placed.view(np.uint32)


def task_of_floats(build, *, allow=(), dtype="float32", domain=None):
    x = replace(build.array("x", "n", "in", dtype=dtype), domain=domain)
    task = build.task(
        "f",
        "void f(int n, const float* x, float* y) {}",
        (build.size("n"), x, build.array("y", "n", "out")),
        ({"n": 500},),
    )
    return replace(task, tolerance=replace(task.tolerance, allow=allow))


@pytest.mark.parametrize(
    ("numbers", "settings", "sign", "largest"),
    [
        ((-100.0, 3.0, 0.5), {}, -1, -100),
        ((-100.0, 3.0, 0.5), {}, 1, 100),
        ((1e9, 128.0), {}, -1, -128),
        ((1e9, 0.5), {}, -1, None),
        ((100.0, 3.0), {"allow": ("half",)}, -1, -3),
        ((100.0,), {"domain": (0.0, np.inf)}, -1, None),
        ((100.0,), {"domain": (0.0, np.inf)}, 1, 100),
        ((), {}, 1, None),
    ],
)
def test_all_values_lie_beyond_the_numbers_of_the_text(build, numbers, settings, sign, largest):
    task = task_of_floats(build, **settings)
    base = draw(task, Case(sizes={"n": 500}, family=Family.DECLARED), secret=3, index=0)
    beyond = beyond_own_numbers(task, base, numbers, np.random.default_rng(5), sign=sign)
    if largest is None:
        assert beyond is None
    else:
        size = beyond.arrays["x"] / largest
        assert (size > 1).all() and (size <= 2).all()


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("float best = -1e9f;", ("beyond_untried 1e+09",)),
        ("v = fminf(v, 100000000.0f) + 1e30;", ("beyond_untried 1e+08",)),
        ("float best = -3.402823466e+38f, other = 1e-9f, third = 0.5f; int mask = 0xFFFFFFFF, many = 2000000000;", ()),
        ("v = __fdividef(v, w);", ("beyond_untried 8.50706e+37",)),
        ("// 1e9f\nfloat best = -INFINITY;", ()),
    ],
)
def test_numbers_beyond_which_nothing_is_tried_are_told(build, text, labels):
    assert beyond_labels(task_of_floats(build), text) == labels
    assert beyond_labels(task_of_floats(build, domain=(-1.0, 1.0)), text) == ()


def test_sizes_of_a_text_are_tried(build):
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", "void f(int n, const float* x, float* y) {}", args, ({"n": 256}, {"n": 4096}))
    found = own_sizes(task, (256.0, 1777.0, 9999.0, 0.5), others=(), rng=random.Random(7))
    assert {"n": 1777} in found and all(1 <= sizes["n"] <= 4096 for sizes in found) and {"n": 256} not in found
    even = replace(task, require=("n % 2 == 0",))
    assert {"n": 1778} in own_sizes(even, (1777.0,), others=(), rng=random.Random(7))
    assert own_sizes(replace(task, hidden_sizes=False), (1777.0,), others=(), rng=random.Random(7)) == []
