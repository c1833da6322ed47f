"""What a model is told of sizes, values and memory, and what it is not."""

import dataclasses

import pytest

from regrapht.prompts.facts import facts
from regrapht.records.expression import Expression
from regrapht.records.task import Contract, Init, Residency


def told(task, **fields) -> str:
    return "\n".join(facts(dataclasses.replace(task, **fields)))


def with_init(task, kind: str, **parameters):
    changed = dataclasses.replace(task.args[2], init=Init(kind=kind, parameters=parameters))
    return dataclasses.replace(task, args=(*task.args[:2], changed, task.args[3]))


def test_bounds_and_sizes(task):
    text = told(task, require=("n <= 4096", "n % 2 == 0"), bench_sizes=({"n": 1 << 20}, {"n": 4096}))
    assert "Always: `n <= 4096`, `n % 2 == 0`." in text
    assert "timed at n = 1048576; n = 4096" in text
    assert "Always" not in told(task) and "timed" not in told(task)


RANGES = {
    "uniform": ({"low": 0.5, "high": 2.0}, "`x` lies between 0.5 and 2"),
    "integers": ({"low": -3, "high": Expression("n")}, "`x` lies from -3 to below `n`"),
    "sorted": ({}, "ascending order"),
    "permutation": ({}, "each number from 0 on once"),
    "csr_row_ptr": ({"nnz": 12}, "where each row begins"),
    "choice": ({"values": (1, 2, 4)}, "`x` holds only 1, 2, 4"),
}


@pytest.mark.parametrize("kind", RANGES)
def test_values(task, kind):
    parameters, words = RANGES[kind]
    assert words in told(with_init(task, kind, **parameters))


def test_any_value_needs_no_words(task):
    assert "`x`" not in told(with_init(task, "normal"))
    assert "`y`" not in told(task), "an output's values before the call mean nothing"


def test_a_domain_bounds_what_is_drawn(task):
    one = dataclasses.replace(task.args[2], domain=(0.0, float("inf")))
    assert "`x` is at least 0." in told(dataclasses.replace(task, args=(*task.args[:2], one, task.args[3])))


def test_alignment_is_that_of_device_memory(task):
    assert "multiple of 256 bytes" in told(task)
    assert "multiple of" not in told(task, contract=Contract(residency=Residency.HOST))
