"""An iteration that is fed its own rounding: honest programs in another order are off by many times what the reference happens to be, and
where the reference keeps no digits of signed data, a bar made of those would let anything pass.

The candidates are functions over numpy arrays.
"""

import numpy as np
import pytest

from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.task import Init
from regrapht.records.verdict import Level

N, FEW, MANY = 64, 12, 40
AROUND = Init(kind="normal", parameters={"mean": 0.5, "std": 0.1})
GROWING = f"int rounds = s > 0.3 ? {FEW} : {MANY}; for (int k = 0; k < rounds; ++k) s = 3 * s - std::floor(3 * s);"
"""Three times the rounding in each round; forty rounds, as for data around zero, leave no digits."""
STEADY = "s = 3 * s - 1;"


def task_of(build, body):
    whole = f"double s = 0; for (int i = 0; i < n; ++i) s += x[i]; s /= n; {body} for (int i = 0; i < n; ++i) z[i] = s * x[i];"
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="float64", init=AROUND),
        build.array("z", "n", "out", dtype="float64"),
    )
    text = f"#include <cmath>\nvoid f(int n, const double* x, double* z) {{ {whole} }}"
    return build.task("f", text, args, ({"n": N},), length="n", require=(f"n == {N}",))


def program(s, x):
    for _ in range(FEW if s > 0.3 else MANY):
        s = 3 * s - np.floor(3 * s)
    return s * x


HONEST = {
    "forwards": lambda x: program(np.add.accumulate(x)[-1] / N, x),
    "backwards": lambda x: program(np.add.accumulate(x[::-1])[-1] / N, x),
    "pairwise": lambda x: program(x.mean(), x),
    "strided": lambda x: program(x.reshape(8, 8).sum(axis=0).sum() / N, x),
}
WRONG = {
    "zeros": np.zeros_like,
    "twice as much": lambda x: 2 * program(x.mean(), x),
    "a hundredth more": lambda x: 1.01 * program(x.mean(), x),
    "sums in floats": lambda x: program(np.float64(x.astype(np.float32).mean()), x),
    "one element left out": lambda x: program(x[1:].sum() / N, x),
}


@pytest.fixture(scope="module")
def drawn(build, sandbox):
    task = task_of(build, GROWING)
    reference = CompiledReference(task, sandbox)
    found = []
    for seed in range(8):
        oracle = Oracle(task, reference, secret=seed)
        oracle.prepare()
        found.append((oracle, oracle.trials(oracle.cases(Level.FULL))))
    return task, found


def refused(drawn, candidate):
    """How many cases of each draw refuse a candidate."""
    task, found = drawn
    return [
        sum(
            compare_case(
                task,
                trial.inputs,
                trial.expected,
                {"z": np.asarray(candidate(trial.inputs.arrays["x"]), np.float64)},
                tolerances=oracle.tolerances(trial.inputs.case.sizes),
            ).status
            is not None
            for trial in trials
        )
        for oracle, trials in found
    ]


@pytest.mark.parametrize("name", HONEST)
def test_honest_orders_are_right(drawn, name):
    assert not any(refused(drawn, HONEST[name]))


@pytest.mark.parametrize("name", WRONG)
def test_a_reference_that_loses_its_digits_on_signed_data_lets_nothing_wrong_pass(drawn, name):
    assert all(refused(drawn, WRONG[name]))


def test_more_runs_are_made_where_rounding_grows_alone(build, sandbox, drawn):
    _, found = drawn
    assert all(trial.expected.moved for _, trials in found for trial in trials)
    assert all(one.grows and one.norm < 1e-6 for oracle, _ in found for one in oracle.tolerances({"n": N}).values())
    steady = task_of(build, STEADY)
    oracle = Oracle(steady, CompiledReference(steady, sandbox), secret=1)
    oracle.prepare()
    assert not any(one.grows for one in oracle.tolerances({"n": N}).values())
    assert not any(trial.expected.moved for trial in oracle.trials(oracle.cases(Level.FULL)))
