"""Two runs of a reference on the same inputs, by hand."""

from dataclasses import dataclass

import numpy as np
import pytest

from regrapht.errors import InvalidTask
from regrapht.evaluate.cases.soundness import require_digits, require_same_again
from regrapht.evaluate.inputs.drawing import Case, Inputs, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.expected import Expected, WideColumn
from regrapht.records.task import Task

N = 64


@dataclass
class Known:
    inputs: Inputs
    expected: Expected


@pytest.fixture
def task(build) -> Task:
    args = (build.size("n"), build.array("y", "n", "out"))
    return build.task("f", "", args, ({"n": N},), deterministic=False)


def known(task: Task, written: np.ndarray, *, wide: np.ndarray) -> Known:
    column = WideColumn(values=wide.astype(np.float64), scale=np.abs(wide).astype(np.float64))
    inputs = draw(task, Case(sizes={"n": N}, family=Family.DECLARED), secret=1, index=0)
    return Known(inputs, Expected(as_written={"y": written}, wide={("y", ""): column}))


@pytest.mark.parametrize("wide", [0, 400, 900, -4000])
def test_a_wide_run_that_is_unsteady_too_excuses_nothing(task, wide):
    """Wherever it landed: as far from the first run as the second is, in between, or beyond both."""
    first, second = np.full(N, 300, np.float32), np.full(N, 500, np.float32)
    case = known(task, first, wide=np.full(N, wide))
    with pytest.raises(InvalidTask, match="differ in y"):
        require_same_again(task, [case], [{"y": second}])


def test_another_order_of_adding_up_is_no_fault(task):
    first = np.linspace(-1, 1, N, dtype=np.float32)
    case = known(task, first, wide=first)
    require_same_again(task, [case], [{"y": first * np.float32(1 + 2e-7)}])


def test_what_nobody_writes_is_no_measure_of_what_is_written(task):
    """A poison of 1e30 in half of the elements would make every other difference small."""
    case = known(task, np.ones(N, np.float32), wide=np.ones(N))
    poison = np.frombuffer(bytes([case.inputs.poison]) * 4, np.float32)[0]
    written = np.where(np.arange(N) % 2, np.float32(1), poison).astype(np.float32)
    case = known(task, written, wide=np.where(np.arange(N) % 2, 1.0, np.nan))
    require_same_again(task, [case], [{"y": written.copy()}])
    other = np.where(np.arange(N) % 2, np.float32(2), written)
    with pytest.raises(InvalidTask, match="differ in y"):
        require_same_again(task, [case], [{"y": other}])


@pytest.mark.parametrize(
    ("body", "told"), [("std::memcpy(y, x, n * 4);", True), ("for (int i = 0; i < n; i++) y[i] = x[i];", False)]
)
def test_sizes_in_bytes_are_spoken_of_where_there_are_some(build, body, told):
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", body, args, ({"n": N},))
    case = known(task, np.ones(N, np.float32), wide=np.full(N, -1.0))
    with pytest.raises(InvalidTask, match="keeps fewer than two digits") as refused:
        require_digits(task, [case], lambda: [case])
    assert ("sizeof(float)" in str(refused.value)) == told
    assert "narrow the init" in str(refused.value)
