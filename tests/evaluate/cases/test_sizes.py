"""Sizes of the judge's own."""

import random
from dataclasses import replace

import pytest

from regrapht.evaluate.cases.sizes import (
    alike_sizes,
    array_bytes,
    block_sizes,
    hidden_sizes,
    lone_sizes,
    scaled_bench_sizes,
    untimed_sizes,
)
from regrapht.records.requirement import satisfies


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
    with pytest.raises(ValueError, match="not a comparison"):
        satisfies(("K",), {"M": 1, "N": 1, "K": 1})


def test_two_sizes_are_alike_and_the_third_is_not(gemm):
    for seed in range(5):
        found = alike_sizes(gemm, rng=random.Random(seed))
        assert len(found) == 3 and all(len(set(sizes.values())) == 2 for sizes in found)
        assert {tuple(sorted(a for a in sizes if list(sizes.values()).count(sizes[a]) == 2)) for sizes in found} == {
            ("M", "N"),
            ("K", "M"),
            ("K", "N"),
        }


def test_sizes_are_alike_only_where_that_is_allowed(gemm):
    rng = random.Random(5)
    assert all(s["K"] < s["N"] for s in alike_sizes(replace(gemm, require=("K < N",)), rng=rng))
    assert alike_sizes(replace(gemm, require=("K < N", "N < M")), rng=rng) == []
    assert alike_sizes(replace(gemm, hidden_sizes=False), rng=rng) == []
    fixed = replace(gemm, check_sizes=({"M": 4, "N": 8, "K": 16}, {"M": 9, "N": 8, "K": 16}))
    assert alike_sizes(fixed, rng=rng) == []


def test_each_size_is_one_beside_listed_others(gemm):
    for seed in range(5):
        found = lone_sizes(gemm, rng=random.Random(seed))
        assert sorted(name for sizes in found for name in sizes if sizes[name] == 1) == ["K", "M", "N"]
        listed = [dict(sizes) for sizes in gemm.check_sizes]
        assert all(any(sum(one[name] != shape[name] for name in one) == 1 for shape in listed) for one in found)


def test_the_least_size_is_what_requirements_allow(gemm):
    rng = random.Random(5)
    found = lone_sizes(replace(gemm, require=("K % 4 == 0", "K < N", "M % 2 == 1")), rng=rng)
    assert all(s["K"] % 4 == 0 and s["K"] < s["N"] and s["M"] % 2 for s in found)
    assert lone_sizes(replace(gemm, hidden_sizes=False), rng=rng) == []
    fixed = replace(gemm, check_sizes=({"M": 4, "N": 8, "K": 16}, {"M": 9, "N": 8, "K": 16}))
    assert lone_sizes(fixed, rng=rng) == [], "a task of one size has hidden ones of 1"


def test_one_beyond_a_block_of_the_text(gemm):
    rng = random.Random(5)
    largest = max(max(sizes.values()) for sizes in gemm.check_sizes)
    assert largest == 65
    assert block_sizes(gemm, (7.0, 15.0, 33.0, 256.0), rng=rng) == [], "none of these is a block within the shapes"
    assert [set(sizes.values()) & {33} for sizes in block_sizes(gemm, (32.0,), rng=rng)] == [{33}]
    assert len(block_sizes(gemm, (16.0, 32.0, 48.0), rng=rng)) == 2
    assert block_sizes(replace(gemm, hidden_sizes=False), (32.0,), rng=rng) == []
    odd = block_sizes(replace(gemm, require=("K < N",)), (32.0,), rng=rng)
    assert all(sizes["K"] < sizes["N"] for sizes in odd)


def test_what_never_varies_stays(gemm):
    task = replace(gemm, check_sizes=({"M": 4, "N": 8, "K": 16}, {"M": 9, "N": 8, "K": 16}))
    assert {(s["N"], s["K"]) for s in hidden_sizes(task, count=5, rng=random.Random(1))} == {(8, 16)}


def test_a_single_check_shape_does_not_fix_every_size(gemm):
    """What differs where the task is timed may change; what is the same there too stays."""
    one, timed = {"M": 33, "N": 65, "K": 3}, {"M": 512, "N": 512, "K": 3}
    found = hidden_sizes(replace(gemm, check_sizes=(one,), bench_sizes=(timed,)), count=8, rng=random.Random(1))
    assert len(found) == 8 and {s["K"] for s in found} == {3} and len({s["N"] for s in found}) > 2
    assert hidden_sizes(replace(gemm, check_sizes=(one,), bench_sizes=()), count=8, rng=random.Random(1)) == []


def shapes(task, require, *, rows=(16, 96, 1024), count=8):
    task = replace(task, require=require, check_sizes=tuple({"M": n, "N": n, "K": n} for n in rows))
    return hidden_sizes(task, count=count, rng=random.Random(7))


def test_multiples_of_a_block_are_found(gemm):
    found = shapes(gemm, ("N % 32 == 0", "M % 4 == 0", "K >= 3"), rows=(32, 96, 1024))
    assert len(found) == 8 and all(s["N"] % 32 == 0 and s["M"] % 4 == 0 and s["K"] >= 3 for s in found)
    assert any((s["N"] // 32) % 2 for s in found), "and not only powers of two"


def test_powers_of_two_are_found(gemm):
    found = shapes(gemm, ("log2(N) == ceil(log2(N))",))
    assert len(found) == 8 and all(s["N"].bit_count() == 1 for s in found)
    assert len({s["N"] for s in found}) >= 3


def test_a_chain_and_a_size_that_follows_from_another(gemm):
    found = shapes(gemm, ("3 <= K <= 40", "M == 2 * N"))
    assert len(found) == 8 and all(3 <= s["K"] <= 40 and s["M"] == 2 * s["N"] for s in found)
    assert shapes(gemm, ("K < 0",)) == [], "nothing satisfies this, and that ends quickly"
    assert shapes(gemm, ("M == N + 100000",)) == []


def test_a_requirement_without_a_value_does_not_hold(gemm):
    found = shapes(gemm, ("M % (N - 3) == 0",))
    assert found and all(s["N"] != 3 and s["M"] % (s["N"] - 3) == 0 for s in found)


def test_a_task_may_forbid_them(gemm):
    assert hidden_sizes(replace(gemm, hidden_sizes=False), count=5, rng=random.Random(1)) == []


def test_bench_shapes_grow_until_enough(gemm):
    sizes = scaled_bench_sizes(gemm, {"M": 64, "N": 64, "K": 64}, is_enough=lambda s: s["M"] >= 500)
    assert sizes == {"M": 512, "N": 512, "K": 512}
    capped = scaled_bench_sizes(gemm, {"M": 64, "N": 64, "K": 64}, is_enough=lambda s: False)
    assert 4 * 3 * capped["M"] ** 2 <= 2**30 < 4 * 3 * (2 * capped["M"]) ** 2
    bounded = replace(gemm, require=("M <= 100",))
    assert scaled_bench_sizes(bounded, {"M": 64, "N": 64, "K": 64}, is_enough=lambda s: False)["M"] == 64


def test_a_timed_shape_is_made_smaller_where_no_time_is_taken(gemm):
    task = replace(gemm, check_sizes=({"M": 17, "N": 33, "K": 65},))
    found = untimed_sizes(task, {"M": 8192, "N": 8192, "K": 20})
    assert array_bytes(task, found) <= 2**23 < array_bytes(task, {**found, "M": 2 * found["M"], "N": 2 * found["N"]})
    assert found["K"] == 20, "below the listed ones already"
    bound = replace(task, require=("8000 <= M",))
    assert untimed_sizes(bound, {"M": 8192, "N": 8192, "K": 64})["M"] == 8192
    small = {"M": 64, "N": 64, "K": 64}
    assert untimed_sizes(task, small) == small
