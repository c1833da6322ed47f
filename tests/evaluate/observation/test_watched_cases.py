"""Which calls are watched."""

from dataclasses import replace

import pytest

from regrapht.errors import CannotTransform
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.observation.watched_cases import is_listed, watched_cases


def test_every_check_shape_comes_first_then_sizes_that_differ_and_values_that_repeat(gemm):
    cases = watched_cases(gemm)
    listed = [case.sizes for case in cases if is_listed(case)]
    assert all(listed.count(sizes) == 3 for sizes in gemm.check_sizes)
    assert all(is_listed(case) for case in cases[: len(gemm.check_sizes)])
    assert any(case.hidden and case.sizes["M"] > 4 * case.sizes["N"] for case in cases)
    assert {Family.LEVELS, Family.EQUAL} <= {case.family for case in cases}
    assert watched_cases(gemm) == cases, "the same for each run, so that runs can be kept"


def test_shapes_that_are_too_large_are_left_out(gemm):
    huge = {"M": 8192, "N": 8192, "K": 1}
    assert huge not in [case.sizes for case in watched_cases(replace(gemm, check_sizes=(*gemm.check_sizes, huge)))]
    with pytest.raises(CannotTransform, match="too large"):
        watched_cases(replace(gemm, check_sizes=(huge,)))
