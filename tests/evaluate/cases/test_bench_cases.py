"""Outputs of few elements at bench shapes: what cancels by chance is measured by what it could have been."""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.cases.bench_cases import FEW_ELEMENTS, bench_expected
from regrapht.evaluate.cases.bench_pools import Pools
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.compare.tolerances import uncalibrated
from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.records.verdict import Status

SUM = """void total(int n, const float* x, float* result) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += x[i];
    *result = sum;
}
"""
GROWING = """void growing(int n, const float* x, float* result) {
    float a = x[0], b = x[n - 1];
    for (int i = 0; i < n; ++i) { float c = 2.0f * a - b; b = a; a = c * 0.999f; }
    *result = a;
}
"""
LENGTH = 2**22


@pytest.fixture(scope="module")
def total(build):
    args = (build.size("n"), build.array("x", "n", "in"), build.array("result", "1", "out"))
    return build.task("total", SUM, args, ({"n": 1000},), length="n")


@pytest.fixture(scope="module")
def cancelled(total):
    """Normals whose sum is 0.5 by chance, where 2000 would be usual."""
    inputs = draw(total, Case(sizes={"n": LENGTH}, family=Family.DECLARED), secret=11, index=0)
    x = np.random.default_rng(11).normal(size=LENGTH).astype(np.float32)
    x[-1] += np.float32(0.5 - x.sum(dtype=np.float64))
    return replace(inputs, arrays={**inputs.arrays, "x": x})


def judged(task, inputs, expected, result):
    got = {"result": np.array([result], np.float32)}
    return compare_case(task, inputs, expected, got, tolerances=uncalibrated(task, inputs.case.sizes)).status


def test_an_honest_sum_that_cancels_by_chance_is_right(total, cancelled, sandbox):
    x = cancelled.arrays["x"]
    expected = bench_expected(total, CompiledReference(total, sandbox), cancelled, wall_s=60)
    orders = {
        "forwards": np.cumsum(x, dtype=np.float32)[-1],
        "backwards": np.cumsum(x[::-1], dtype=np.float32)[-1],
        "by blocks": np.cumsum(x.reshape(-1, 1024).sum(axis=1, dtype=np.float32), dtype=np.float32)[-1],
    }
    right = expected.wide["result", ""].values[0]
    assert abs(right - 0.5) < 0.01
    assert max(abs(value - right) for value in orders.values()) > 0.01, (
        "or rounding is too small for the test to say anything"
    )
    assert {name: judged(total, cancelled, expected, value) for name, value in orders.items()} == dict.fromkeys(orders)
    in_half = np.float32(x.astype(np.float16).reshape(-1, 1024).sum(axis=1, dtype=np.float16).sum(dtype=np.float32))
    assert judged(total, cancelled, expected, in_half) is Status.WRONG_VALUE


def test_without_magnitudes_it_would_be_refused(total, cancelled, sandbox):
    expected = CompiledReference(total, sandbox).expected([cancelled], magnitudes=False)[0]
    backwards = np.cumsum(cancelled.arrays["x"][::-1], dtype=np.float32)[-1]
    assert judged(total, cancelled, expected, backwards) is Status.WRONG_VALUE


def test_a_pool_keeps_them(total, sandbox, tmp_path):
    made, found = (
        Oracle(total, CompiledReference(total, sandbox), pools=Pools(tmp_path / "pools", 2**30)).bench.trials(
            {"n": 4096}
        )
        for _ in range(2)
    )
    kept = [trial[0].expected.wide["result", ""].scale for trial in (made, found)]
    assert kept[0][0] == pytest.approx(np.abs(made[0].inputs.arrays["x"], dtype=np.float64).sum())
    assert (kept[0] == kept[1]).all()


DECAY = """#include <cmath>
void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = std::exp(-8.0f * x[i] * x[i]); }"""
SQUARES = """void f(int n, const float* x, float* y) {
    for (int i = 0; i < n; ++i) { float s = 0; for (int j = 0; j < 8; ++j) s += x[8 * i + j] * x[8 * i + j]; y[i] = s; }
}"""
TWICE = "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = x[i] * 2.0f; }"


class Long(CompiledReference):
    """One that is never quick enough to carry magnitudes at a bench shape of many elements."""

    def expected(self, inputs, *, wall_s=None, magnitudes=True):
        if magnitudes and wall_s is not None:
            raise ReferenceFailed("takes long", call=0)
        return super().expected(inputs, wall_s=wall_s, magnitudes=magnitudes)


def at_bench(build, sandbox, text, *, reference=CompiledReference, width=1, elements=4096):
    """A task, its trial at the bench shape, and the labels of it."""
    args = (build.size("n"), build.array("x", f"{width} * n", "in"), build.array("y", "n", "out"))
    bench = {"n": elements}
    task = build.task("f", text, args, ({"n": 700}, {"n": 900}), bench_sizes=(bench,), length=str(width))
    oracle = Oracle(task, reference(task, sandbox), secret=3)
    oracle.prepare()
    return task, oracle.bench.trials(bench)[0], oracle.bench.labels(bench)


@pytest.mark.parametrize("elements", [FEW_ELEMENTS - 1, FEW_ELEMENTS, 4096])
def test_zeros_where_right_values_are_small(build, sandbox, elements):
    task, trial, labels = at_bench(build, sandbox, DECAY, elements=elements)
    right = trial.expected.as_written["y"]
    tolerances = uncalibrated(task, trial.inputs.case.sizes)
    judge = lambda got: compare_case(task, trial.inputs, trial.expected, {"y": got}, tolerances=tolerances)  # noqa: E731
    assert labels == () and judge(right).status is None
    assert judge(np.exp(np.float32(-8) * trial.inputs.arrays["x"] ** 2)).status is None
    compared = judge(np.where(np.abs(trial.inputs.arrays["x"]) > 1.4, np.float32(0), right))
    assert compared.status is Status.WRONG_VALUE and compared.result.norm_error < compared.result.norm_bar


def test_sums_of_positive_terms_need_no_magnitudes(build, sandbox):
    task, trial, labels = at_bench(build, sandbox, SQUARES, reference=Long, width=8)
    right = trial.expected.as_written["y"]
    tolerances = uncalibrated(task, trial.inputs.case.sizes)
    judge = lambda got: compare_case(task, trial.inputs, trial.expected, {"y": got}, tolerances=tolerances).status  # noqa: E731
    squares = (trial.inputs.arrays["x"].reshape(-1, 8) ** 2)[:, ::-1].sum(axis=1, dtype=np.float32)
    assert labels == () and judge(right) is judge(squares) is None
    assert judge(np.where(right < 1.0, np.float32(1.0001) * right, right)) is Status.WRONG_VALUE


def test_what_may_cancel_and_takes_long_has_a_label(build, sandbox):
    text = SQUARES.replace("x[8 * i + j] * x[8 * i + j]", "x[8 * i + j]")
    _, trial, labels = at_bench(build, sandbox, text, reference=Long, width=8)
    assert labels == ("bench_elements_unchecked n=4096",) and trial.expected.wide["y", ""].scale is None
    assert at_bench(build, sandbox, text, width=8)[2] == ()


def test_magnitudes_that_grow_without_end_are_no_excuse(build, sandbox):
    args = (build.size("n"), build.array("x", "n", "in"), build.array("result", "1", "out"))
    task = build.task("growing", GROWING, args, ({"n": 8},))
    inputs = draw(task, Case(sizes={"n": 200}, family=Family.DECLARED), secret=4, index=0)
    assert bench_expected(task, CompiledReference(task, sandbox), inputs, wall_s=60).wide["result", ""].scale is None


def test_where_magnitudes_take_too_long_they_stay_unknown(total, sandbox):
    class Slow(CompiledReference):
        def expected(self, inputs, *, wall_s=None, magnitudes=True):
            if magnitudes:
                raise ReferenceFailed("too slow", call=0)
            return super().expected(inputs, wall_s=wall_s, magnitudes=False)

    inputs = draw(total, Case(sizes={"n": 100}, family=Family.DECLARED), secret=5, index=0)
    assert bench_expected(total, Slow(total, sandbox), inputs, wall_s=60).wide["result", ""].scale is None
