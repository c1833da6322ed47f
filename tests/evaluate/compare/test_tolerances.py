"""Requirement C3: honest sums pass in every order and at every length, lower precision fails at every length.

References and candidates are made with numpy: no compiler is asked.
"""

import functools
from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.compare.tolerances import calibrate
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.expected import Expected, WideColumn
from regrapht.records.verdict import Status

SECRET = secret_from("test_bars")
LENGTHS = [64, 4096, pytest.param(131072, marks=pytest.mark.slow), pytest.param(1_000_000, marks=pytest.mark.slow)]


class RowDots:
    """The reference of `rows` dot products of `length` terms, added one after the other in float32."""

    widens = True

    def written(self, inputs):
        return [{"c": sequential(products(one))} for one in inputs]

    def wide(self, inputs):
        return [{("c", ""): self._wide(one)} for one in inputs]

    def expected(self, inputs):
        return [Expected(as_written=w, wide=e) for w, e in zip(self.written(inputs), self.wide(inputs), strict=True)]

    def _wide(self, inputs):
        exact = products(inputs, np.float64)
        return WideColumn(values=exact.sum(1), scale=np.abs(exact).sum(1))


class CountedDots(RowDots):
    """The same, and how often it was run in the wider type."""

    runs = 0

    def wide(self, inputs):
        self.runs += 1
        return super().wide(inputs)


def products(inputs, dtype=np.float32):
    rows = inputs.case.sizes["m"]
    a, b = (inputs.arrays[name].reshape(rows, -1).astype(dtype) for name in "ab")
    return a * b


def sequential(terms):
    return np.cumsum(terms, axis=1, dtype=terms.dtype)[:, -1].astype(np.float32)


def pairwise(terms):
    return np.add.reduce(np.ascontiguousarray(terms), axis=1)


def kahan(terms):
    """256 threads a row, each with a compensated sum of its own; the threads' sums in a tree."""
    lanes = np.zeros((terms.shape[0], -(-terms.shape[1] // 256) * 256), np.float32)
    lanes[:, : terms.shape[1]] = terms
    total = np.zeros((terms.shape[0], 256), np.float32)
    lost = np.zeros_like(total)
    for part in lanes.reshape(terms.shape[0], -1, 256).transpose(1, 0, 2):
        term = part - lost
        new = total + term
        lost = (new - total) - term
        total = new
    return pairwise(total)


def atomics(terms):
    """Warps of 32 terms, added to one place in the order in which they happen to come."""
    count = terms.shape[1] // 32
    partial = terms[:, : 32 * count].reshape(terms.shape[0], count, 32).sum(2, dtype=np.float32)
    order = np.random.default_rng(3).permutation(count)
    return sequential(partial[:, order])


def rounded(values, bits):
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits).astype(np.float32)


HONEST = (sequential, pairwise, kahan, atomics)
CHEATS = {
    "TF32 inputs": lambda one: pairwise(products(at_precision(one, lambda x: rounded(x, 11)))),
    "half inputs": lambda one: pairwise(products(at_precision(one, lambda x: x.astype(np.float16).astype(np.float32)))),
    "bfloat16 inputs": lambda one: pairwise(products(at_precision(one, lambda x: rounded(x, 8)))),
    "half accumulator": lambda one: sequential(products(one).astype(np.float16)),
}


def at_precision(inputs, lower):
    return replace(inputs, arrays={name: lower(array) for name, array in inputs.arrays.items()})


class LaneDots(RowDots):
    """The same in four sums side by side, as a library's may be: their rounding is a quarter of one sum's where it goes one way."""

    def written(self, inputs):
        return [{"c": lanes(products(one))} for one in inputs]


def lanes(terms):
    whole = terms[:, : terms.shape[1] // 4 * 4]
    return pairwise(np.stack([sequential(whole[:, lane::4]) for lane in range(4)], axis=1))


class Judge:
    def __init__(self, build, length, reference=RowDots):
        args = (build.size("m"), build.size("k"), build.array("a", "m,k", "in"), build.array("b", "m,k", "in"))
        sizes = {"m": max(4, min(64, 2**19 // length)), "k": length}
        self.task = build.task("dots", "", (*args, build.array("c", "m", "out")), (sizes,), length="k")
        self.sizes, self.reference = sizes, reference()
        self.tolerances = calibrate(self.task, self.reference, sizes, secret=SECRET)

    def inputs(self, family):
        return draw(self.task, Case(sizes=self.sizes, family=family), secret=SECRET + 1, index=0)

    def __call__(self, inputs, output):
        with np.errstate(all="ignore"):
            (expected,) = self.reference.expected([inputs])
        return compare_case(self.task, inputs, expected, {"c": output}, tolerances=self.tolerances)


@pytest.fixture(scope="module")
def judges(build):
    """A judge a length, calibrated once."""
    return functools.cache(lambda length: Judge(build, length))


@pytest.mark.parametrize("length", LENGTHS)
def test_honest_orders_pass_and_lower_precision_fails(judges, length):
    judge = judges(length)
    signed = judge.inputs(Family.SIGNED)
    for order in HONEST:
        compared = judge(signed, order(products(signed)))
        assert compared.status is None, (order.__name__, compared)
    for name, cheat in CHEATS.items():
        with np.errstate(over="ignore"):
            compared = judge(signed, cheat(signed))
        assert compared.status in (Status.WRONG_VALUE, Status.NON_FINITE), (name, compared)


@pytest.mark.parametrize("length", [64, pytest.param(131072, marks=pytest.mark.slow)])
@pytest.mark.parametrize("family", [family for family in Family if family is not Family.SIGNED])
def test_no_family_refuses_an_honest_order(judges, length, family):
    judge = judges(length)
    inputs = judge.inputs(family)
    for order in HONEST:
        compared = judge(inputs, order(products(inputs)))
        assert compared.status is None, (order.__name__, compared)


@pytest.mark.parametrize("length", [8192, pytest.param(131072, marks=pytest.mark.slow)])
def test_one_sum_of_wide_values_is_right_in_whatever_order_its_atomics_come(judges, length):
    """Few large terms make it, and partial sums are larger than the sum where these are added before what cancels them."""
    judge = judges(length)
    for seed in range(20):
        case = Case(sizes={"m": 1, "k": length}, family=Family.WIDE)
        inputs = plain_sum(draw(judge.task, case, secret=SECRET + seed, index=0))
        terms = products(inputs)
        rng = np.random.default_rng(seed)
        for _ in range(40):
            compared = judge(inputs, sequential(terms[:, rng.permutation(length)]))
            assert compared.status is None, (seed, compared)


@pytest.mark.parametrize("length", [8192, pytest.param(131072, marks=pytest.mark.slow)])
def test_equal_values_round_one_way_which_is_honest_too(build, length):
    """Seen at a sum of doubles with std::reduce as its reference: a plain loop was refused in five of eight judgements."""
    judge = Judge(build, length, reference=LaneDots)
    case = Case(sizes={"m": 1, "k": length}, family=Family.EQUAL)
    for seed in range(20):
        inputs = draw(judge.task, case, secret=SECRET + seed, index=0)
        for order in (*HONEST, lanes):
            compared = judge(inputs, order(products(inputs)))
            assert compared.status is None, (order.__name__, seed, compared)
        for wrong in (products(inputs)[:, : length - length // 32], products(inputs).astype(np.float16)):
            assert judge(inputs, sequential(wrong)).status is not None, (seed, wrong.dtype)


def plain_sum(inputs):
    """The same inputs with every second factor 1: the huge pairs of the cancelling family then meet in one sum."""
    return replace(inputs, arrays={**inputs.arrays, "b": np.ones_like(inputs.arrays["b"])})


@pytest.mark.parametrize("length", [64, pytest.param(131072, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", range(5))
def test_what_cancels_is_measured_by_what_went_in(judges, length, seed):
    judge = judges(length)
    case = Case(sizes={"m": 1, "k": length}, family=Family.CANCELLING)
    inputs = plain_sum(draw(judge.task, case, secret=SECRET + seed, index=0))
    assert np.abs(inputs.arrays["a"]).max() > 4096
    for order in HONEST:
        compared = judge(inputs, order(products(inputs)))
        assert compared.status is None, (order.__name__, compared)
    low = sequential(products(inputs).astype(np.float16))
    assert judge(inputs, low).status is not None


def test_whole_numbers_are_added_exactly_in_any_order(judges):
    judge = judges(4096)
    inputs = judge.inputs(Family.INTEGERS)
    results = [order(products(inputs)) for order in HONEST]
    assert all((result == results[0]).all() for result in results) and results[0].any()


def test_one_bad_element_in_a_million_fails(build, judges):
    count = 1_000_000
    task = build.task(
        "f", "", (build.size("n"), build.array("a", "n", "in"), build.array("c", "n", "out")), ({"n": 1},)
    )
    inputs = draw(task, Case(sizes={"n": count}, family=Family.SIGNED), secret=SECRET, index=0)
    exact = 3.0 * inputs.arrays["a"].astype(np.float64)
    written = exact.astype(np.float32)
    expected = Expected(as_written={"c": written}, wide={("c", ""): WideColumn(values=exact, scale=np.abs(exact))})
    tolerances = {("c", ""): judges(64).tolerances["c", ""]}
    tolerances["c", ""] = replace(tolerances["c", ""], length=1)
    assert compare_case(task, inputs, expected, {"c": written}, tolerances=tolerances).status is None
    wrong = written.copy()
    wrong[123_456] *= np.float32(1 + 1e-5)
    compared = compare_case(task, inputs, expected, {"c": wrong}, tolerances=tolerances)
    assert compared.status is Status.WRONG_VALUE and compared.result.mismatches == 1 and "[123456]" in compared.what


def test_an_element_without_a_bound_excuses_no_other(build, judges):
    """Magnitudes that overflowed say nothing about their element, and must not loosen the norm for the rest."""
    task = build.task("f", "", (build.size("n"), build.array("c", "n", "out")), ({"n": 1},))
    inputs = draw(task, Case(sizes={"n": 100}, family=Family.DECLARED), secret=SECRET, index=0)
    exact = np.linspace(1, 2, 100)
    scale = exact.copy()
    scale[0], scale[1] = np.inf, np.nan
    written = exact.astype(np.float32)
    expected = Expected(as_written={"c": written}, wide={("c", ""): WideColumn(values=exact, scale=scale)})
    tolerances = {("c", ""): replace(judges(64).tolerances["c", ""], length=1)}
    for place in (0, 1, 50):
        wrong = written.copy()
        wrong[place] = 1.9
        assert compare_case(task, inputs, expected, {"c": wrong}, tolerances=tolerances).status is Status.WRONG_VALUE, (
            place
        )
    assert compare_case(task, inputs, expected, {"c": written}, tolerances=tolerances).status is None


class Polynomials:
    """The reference of polynomials by Horner's rule, whose values grow beyond the type where the degree is large."""

    widens = True

    def written(self, inputs):
        return [{"y": horner(one.arrays["c"], one.arrays["x"])} for one in inputs]

    def wide(self, inputs):
        return [{("y", ""): self._wide(one.arrays["c"], one.arrays["x"])} for one in inputs]

    def expected(self, inputs):
        return [Expected(as_written=w, wide=e) for w, e in zip(self.written(inputs), self.wide(inputs), strict=True)]

    def _wide(self, c, x):
        c, x = (array.astype(np.longdouble if array.dtype == np.float64 else np.float64) for array in (c, x))
        return WideColumn(values=horner(c, x), scale=horner(np.abs(c), np.abs(x)))


def horner(c, x):
    total = np.zeros_like(x)
    with np.errstate(over="ignore", invalid="ignore"):
        for one in c[::-1]:
            total = total * x + one
    return total


@pytest.mark.parametrize("degree", [30, 300, 900])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_that_grow_beyond_the_type_leave_a_bar_for_the_others(build, dtype, degree):
    """Squares of what the type holds are beyond it, and the wide run goes on where the type is at its end."""
    x, y = build.array("x", "n", "in", dtype=dtype), build.array("y", "n", "out", dtype=dtype)
    args = (build.size("n"), build.size("d"), build.array("c", "d", "in", dtype=dtype), x, y)
    sizes, reference = {"n": 200, "d": degree}, Polynomials()
    task = build.task("polynomials", "", args, (sizes,), length="d")
    tolerances = calibrate(task, reference, sizes, secret=SECRET)
    assert 0 < tolerances["y", ""].norm < (1e-2 if dtype == "float32" else 1e-6)
    inputs = draw(task, Case(sizes=sizes, family=Family.SIGNED), secret=SECRET, index=7)
    (expected,) = reference.expected([inputs])
    right = expected.as_written["y"]
    finite = np.isfinite(right)
    assert finite.any() and finite.all() == (degree == 30 or (degree, dtype) == (300, "float64"))

    def status(output):
        return compare_case(task, inputs, expected, {"y": output}, tolerances=tolerances).status

    assert status(right) is None
    for wrong in (
        np.zeros_like(right),
        np.where(finite, right * right.dtype.type(1.1), right),
        np.where(finite, np.inf, right).astype(dtype),
    ):
        assert status(wrong) is not None
    smallest = int(np.argmin(np.where(finite, np.abs(right), np.inf)))
    wrong = right.copy()
    wrong[smallest] += 1
    assert status(wrong) is Status.WRONG_VALUE, "beside values without end a small one counts as well"


@pytest.mark.parametrize(("allowed", "runs"), [((), 2), (("tf32",), 3)])
def test_nothing_is_run_that_no_bar_is_made_of(build, allowed, runs):
    """The right values and those of the next lower precision; those of the accepted one where it is below the type's own."""
    judge = Judge(build, 64)
    task = replace(judge.task, tolerance=replace(judge.task.tolerance, allow=frozenset(allowed)))
    reference = CountedDots()
    calibrate(task, reference, judge.sizes, secret=SECRET)
    assert reference.runs == runs


@pytest.mark.parametrize(("length", "draws"), [(64, 16), (2**16, 7), (2**20, 4)])
def test_an_output_of_one_element_is_drawn_often_beside_small_arrays_alone(build, length, draws):
    """A residual may stand beside a matrix of millions: sixteen runs of a solver in the wider type take minutes."""
    seen = []

    class Counted(RowDots):
        def wide(self, inputs):
            seen.append(len(inputs))
            return super().wide(inputs)

    args = (build.size("m"), build.size("k"), build.array("a", "m,k", "in"), build.array("b", "m,k", "in"))
    sizes = {"m": 1, "k": length}
    task = build.task("dots", "", (*args, build.array("c", "m", "out")), (sizes,), length="k")
    calibrate(task, Counted(), sizes, secret=SECRET)
    assert set(seen) == {draws}
