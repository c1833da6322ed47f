"""Shapes in which sizes differ by much."""

import random
from dataclasses import replace
from itertools import permutations

from regrapht.evaluate.cases.contrasting_sizes import contrasting_sizes
from regrapht.records.expression import Expression
from regrapht.records.requirement import satisfies


def found(task, numbers=(), periods=(), **changes):
    return contrasting_sizes(replace(task, **changes), numbers, rng=random.Random(3), periods=periods)


def test_each_size_is_once_much_larger_and_once_smaller_than_every_other(gemm):
    shapes = found(gemm)
    for one, other in permutations(("M", "N", "K"), 2):
        assert any(shape[one] > 4 * shape[other] for shape in shapes), (one, other)


def test_a_size_goes_beyond_the_numbers_of_the_text_as_far_as_it_is_timed(gemm):
    assert (
        max(shape["M"] for shape in found(gemm, (1000.0, 2.5, 1e9), bench_sizes=({"M": 10**6, "N": 512, "K": 512},)))
        == 4097
    )
    assert max(shape["M"] for shape in found(gemm, (9000.0,), bench_sizes=({"M": 10**6, "N": 512, "K": 512},))) == 18001
    assert max(shape["M"] for shape in found(gemm, (9000.0,), bench_sizes=({"M": 512, "N": 512, "K": 512},))) == 512


def test_a_size_goes_beyond_arrays_that_do_not_grow_with_it(gemm):
    args = tuple(replace(arg, shape=(Expression("7000"),)) if arg.name == "C" else arg for arg in gemm.args)
    shapes = found(gemm, args=args, bench_sizes=({"M": 10**6, "N": 512, "K": 512},))
    assert max(shape["M"] for shape in shapes) == 14001


def test_requirements_hold_and_what_never_varies_stays(gemm):
    rows = tuple({"M": m, "N": 2 * m, "K": 8} for m in (8, 16, 64))
    require = ("N >= M", "M % 8 == 0")
    shapes = found(gemm, check_sizes=rows, require=require)
    assert shapes and all(satisfies(require, shape) and shape["K"] == 8 for shape in shapes)
    assert found(gemm, hidden_sizes=False) == []


def test_a_size_goes_beyond_the_turns_after_which_places_come_again(gemm):
    timed = ({"M": 10**6, "N": 512, "K": 512},)
    assert max(shape["M"] for shape in found(gemm, periods=[9000], bench_sizes=timed)) == 18001


def test_the_numbers_of_the_text_divide_a_size_once(gemm):
    timed = ({"M": 10**6, "N": 512, "K": 512},)
    shapes = found(gemm, (7919.0, 12.0, 2.5), bench_sizes=timed)
    assert any(shape["M"] % 7919 == 0 for shape in shapes)
    assert any(shape["M"] % 60 == 0 for shape in shapes)
