"""A task whose own CUDA programs add floats by atomics says that it takes results in any order, or it is not admitted."""

from dataclasses import replace

import pytest

from regrapht.evaluate.admission.findings import Rule
from regrapht.evaluate.admission.unordered_sums import unordered_sums
from regrapht.records.task import Baseline, SourceFile

ATOMIC = "__global__ void k(int n, const float* x, float* y) {\n    atomicAdd(y, x[threadIdx.x]);\n}\n"
ORDERED = "__global__ void k(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[0] += x[i]; }\n"
PLACES = ("reference", "baseline")


@pytest.fixture
def task(build):
    def make(place, text, *, deterministic):
        args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "1", "out"))
        made = build.task("f", ORDERED, args, ({"n": 4},))
        file = SourceFile(name="program.cu", text=text)
        made = replace(made, tolerance=replace(made.tolerance, deterministic=deterministic))
        if place == "reference":
            return replace(made, reference=replace(made.reference, source=file))
        return replace(made, baselines=(Baseline(name="naive", source=file),))

    return make


@pytest.mark.parametrize("place", PLACES)
def test_an_unordered_sum_is_an_error_where_the_task_wants_one_result(task, place):
    (found,) = unordered_sums(task(place, ATOMIC, deterministic=True))
    assert found.rule is Rule.UNORDERED_SUM
    assert "program.cu" in found.message and "line 2" in found.message and "deterministic = false" in found.message


@pytest.mark.parametrize("place", PLACES)
def test_it_is_none_where_the_task_says_so_or_the_order_is_fixed(task, place):
    assert [*unordered_sums(task(place, ATOMIC, deterministic=False))] == []
    assert [*unordered_sums(task(place, ORDERED, deterministic=True))] == []
