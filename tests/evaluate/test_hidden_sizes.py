"""Sizes of the judge's own."""

import random
from dataclasses import replace

import pytest

from regrapht.evaluate.bench_sizes import scaled_bench_sizes
from regrapht.evaluate.hidden_sizes import hidden_sizes, satisfies


def test_they_are_awkward_new_and_no_larger(gemm):
    rng = random.Random(5)
    found = hidden_sizes(gemm, count=20, rng=rng)
    assert len(found) == 20
    assert all(set(sizes) == {"M", "N", "K"} and max(sizes.values()) <= 65 for sizes in found)
    assert not any(sizes in list(gemm.check_sizes) for sizes in found)
    assert any(value % 2 for sizes in found for value in sizes.values())


def test_requirements_hold(gemm):
    task = replace(gemm, require=("K <= N", "M % 2 == 1"))
    found = hidden_sizes(task, count=10, rng=random.Random(5))
    assert found and all(s["K"] <= s["N"] and s["M"] % 2 == 1 for s in found)
    with pytest.raises(ValueError, match="no comparison"):
        satisfies(replace(gemm, require=("K",)), {"M": 1, "N": 1, "K": 1})


def test_what_never_varies_stays(gemm):
    task = replace(gemm, check_sizes=({"M": 4, "N": 8, "K": 16}, {"M": 9, "N": 8, "K": 16}))
    assert {(s["N"], s["K"]) for s in hidden_sizes(task, count=5, rng=random.Random(1))} == {(8, 16)}


def test_a_task_may_forbid_them(gemm):
    assert hidden_sizes(replace(gemm, hidden_sizes=False), count=5, rng=random.Random(1)) == []


def test_bench_shapes_grow_until_enough(gemm):
    sizes = scaled_bench_sizes(gemm, {"M": 64, "N": 64, "K": 64}, is_enough=lambda s: s["M"] >= 500)
    assert sizes == {"M": 512, "N": 512, "K": 512}
    capped = scaled_bench_sizes(gemm, {"M": 64, "N": 64, "K": 64}, is_enough=lambda s: False)
    assert 4 * 3 * capped["M"] ** 2 <= 2**30 < 4 * 3 * (2 * capped["M"]) ** 2
    bounded = replace(gemm, require=("M <= 100",))
    assert scaled_bench_sizes(bounded, {"M": 64, "N": 64, "K": 64}, is_enough=lambda s: False)["M"] == 64
