"""On an edge between two answers (a half that is rounded, the end of a bin) another way to round is wrong, and an honest program in another
form is right; where rounding decides there, there is no such call, and verdicts say so. The candidates are functions over numpy arrays.
"""

import numpy as np
import pytest

from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.tie_cases import TIES, UNCHECKED, has_ties, unchecked_ties
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.task import Arg, ArgKind, Init
from regrapht.records.verdict import Level

N = 96
EACH = "for (int i = 0; i < n; ++i) "
NORMAL = Init(kind="normal", parameters={"mean": 0.0, "std": 2.0})
SCALE = Init(kind="uniform", parameters={"low": 0.5, "high": 40.0})
SEEDS = range(3)


def away(v):
    return np.copysign(np.floor(np.abs(v) + 0.5), v)


ROUNDED = {
    "to the nearest": ("std::rint(x[i] * s)", "int32", lambda x, s: np.rint(x * s), lambda x, s: away(x * s)),
    "to the nearest, as a float": ("std::nearbyint(x[i] / s)", "same", lambda x, s: np.rint(x * (1 / s)), lambda x, s: away(x / s)),
    "away from zero": ("std::round(x[i] * s)", "int32", lambda x, s: away(x / (1 / s)), lambda x, s: np.rint(x * s)),
    "upwards at halves": ("std::floor(x[i] * s + 0.5f)", "int32", lambda x, s: np.floor(0.5 + s * x), lambda x, s: away(x * s)),
    "down": ("std::floor(x[i] * s)", "int32", lambda x, s: np.floor(x * s), lambda x, s: np.ceil(x * s) - 1),
    "towards zero": ("(int)(x[i] * s)", "int32", lambda x, s: np.trunc(x * s), lambda x, s: np.sign(x) * (np.ceil(np.abs(x * s)) - 1)),
    "compared with a half": ("x[i] * s >= 0.5f", "int32", lambda x, s: x * s >= 0.5, lambda x, s: x * s > 0.5),
}  # fmt: skip
ROUNDED_ON_THE_WAY = (
    "std::rint(x[i] / 3.0f)",
    "std::rint(x[i] * 0.1f)",
    "std::rint(std::sqrt(x[i] * x[i]))",
    "(int)(x[i] * s / n)",
)
TYPES = ("float32", "float64")
C = {"float32": "float", "float64": "double", "int32": "int"}


def task_of(build, expression, out, of="float32"):
    out = of if out == "same" else out
    text = (
        f"#include <cmath>\nvoid f(int n, {C[of]} s, const {C[of]}* x, {C[out]}* z) {{ {EACH} z[i] = {expression}; }}"
    )
    args = (
        build.size("n"),
        Arg(name="s", kind=ArgKind.SCALAR, dtype=SCALAR_TYPES[of], init=SCALE),
        build.array("x", "n", "in", dtype=of, init=NORMAL),
        build.array("z", "n", "out", dtype=out),
    )
    return build.task("f", text, args, ({"n": N},))


@pytest.mark.parametrize("of", TYPES)
@pytest.mark.parametrize("name", ROUNDED)
def test_another_way_to_round_is_wrong_and_another_form_is_right(build, sandbox, name, of):
    expression, out, right, other = ROUNDED[name]
    task = task_of(build, expression, out, of)
    reference = CompiledReference(task, sandbox)
    for seed in SEEDS:
        oracle = Oracle(task, reference, secret=seed)
        oracle.prepare()
        trials = oracle.trials(oracle.cases(Level.FULL))
        assert unchecked_ties(task, trials) == ()

        def wrong(program, oracle=oracle, trials=trials):
            found = set()
            for trial in trials:
                scale = np.frombuffer(trial.inputs.values["s"], of)[0]
                answer = np.ascontiguousarray(program(trial.inputs.arrays["x"], scale))
                with np.errstate(invalid="ignore"):
                    got = {"z": answer.astype(trial.expected.as_written["z"].dtype)}
                tolerances = oracle.tolerances(trial.inputs.case.sizes)
                if compare_case(task, trial.inputs, trial.expected, got, tolerances=tolerances).status is not None:
                    found.add(trial.inputs.case.near or trial.inputs.case.family.value)
            return found

        assert TIES not in wrong(right), f"seed {seed}"
        assert TIES in wrong(other), f"seed {seed}"


@pytest.mark.parametrize("expression", ROUNDED_ON_THE_WAY)
def test_where_rounding_decides_there_is_no_such_call_and_a_label(build, sandbox, expression):
    task = task_of(build, expression, "int32")
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=1)
    oracle.prepare()
    assert not has_ties(task)
    assert unchecked_ties(task, oracle.trials(oracle.cases(Level.FULL))) == (UNCHECKED,)


def test_floats_that_are_never_rounded_to_whole_numbers_have_neither(build):
    task = task_of(build, "x[i] * s + std::sqrt(s)", "same")
    assert not has_ties(task)
    assert unchecked_ties(task, []) == ()
