"""A comparison with a scalar that is strict where it should not be, or the other way round, is wrong where an element is equal to it.

An honest program that compares otherwise is right there. The candidates are functions over numpy arrays.
"""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.cases.chosen_cases import edge_cases
from regrapht.evaluate.cases.met_cases import MET, met_scalars
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.task import Arg, ArgKind, Init
from regrapht.records.verdict import Level

N = 96
EACH = "for (int i = 0; i < n; ++i) "
WIDE = Init(kind="integers", parameters={"low": -(10**9), "high": 10**9})
NORMAL = Init(kind="normal", parameters={"mean": 0.0, "std": 1.0})
LIMIT = Init(kind="uniform", parameters={"low": 0.2, "high": 0.9})
SEEDS = range(2)

COMPARED = {
    "kept at or above": (
        f"{EACH} z[i] = x[i] >= t ? x[i] : 0;",
        "same",
        lambda x, t: np.where(x >= t, x, 0),
        lambda x, t: np.where(x > t, x, 0),
        lambda x, t: np.where(x - t >= 0, x, 0),
    ),
    "a mask of what is below": (
        f"{EACH} z[i] = x[i] < t;",
        "int32",
        lambda x, t: x < t,
        lambda x, t: x <= t,
        lambda x, t: ~(x - t >= 0),
    ),
    "how many at most": (
        f"int c = 0; {EACH} c += x[i] <= t; z[0] = c;",
        "int32",
        lambda x, t: np.array([(x <= t).sum()]),
        lambda x, t: np.array([(x < t).sum()]),
        lambda x, t: np.array([len(x) - (x > t).sum()]),
    ),
    "one of three": (
        f"{EACH} z[i] = x[i] < t ? -1 : x[i] > t ? 1 : 0;",
        "int32",
        lambda x, t: np.where(x < t, -1, np.where(x > t, 1, 0)),
        lambda x, t: np.where(x <= t, -1, 1),
        lambda x, t: (x > t).astype(int) - (x < t),
    ),
    "a share of the limit": (
        f"{EACH} z[i] = x[i] / t >= 1 ? 1 : -1;",
        "same",
        lambda x, t: np.where(x / t >= 1, 1, -1),
        lambda x, t: np.where(x / t > 1, 1, -1),
        lambda x, t: np.where(x * (1 / t) >= 1, 1, -1),
    ),
}
TYPES = ("float32", "float64", "int64")
KINDS = [(name, of) for name in COMPARED for of in TYPES if of.startswith("float") or name != "a share of the limit"]
"""Whole numbers are not divided by a limit that may be zero."""
C = {"float32": "float", "float64": "double", "int32": "int", "int64": "long long"}


def scalar(name, of, init):
    return Arg(name=name, kind=ArgKind.SCALAR, dtype=SCALAR_TYPES[of], init=init)


def task_of(build, name, of, *, value=None):
    body, out, *_ = COMPARED[name]
    whole = of.startswith("int")
    out = of if out == "same" else out
    text = f"void f(int n, {C[of]} t, const {C[of]}* x, {C[out]}* z) {{ {body} }}"
    limit = scalar("t", of, WIDE if whole else LIMIT)
    args = (
        build.size("n"),
        limit if value is None else replace(limit, init=None, value=value),
        build.array("x", "n", "in", dtype=of, init=WIDE if whole else NORMAL),
        build.array("z", "1" if name == "how many at most" else "n", "out", dtype=out),
    )
    return build.task("f", text, args, ({"n": N},))


@pytest.mark.parametrize(("name", "of"), KINDS)
def test_a_wrong_comparison_at_equality_is_wrong_and_another_form_is_right(build, sandbox, name, of):
    task = task_of(build, name, of)
    _, _, right, strict, other = COMPARED[name]
    reference = CompiledReference(task, sandbox)
    for seed in SEEDS:
        oracle = Oracle(task, reference, secret=seed)
        oracle.prepare()
        trials = oracle.trials(oracle.cases(Level.FULL))

        def wrong(program, oracle=oracle, trials=trials):
            found = set()
            for trial in trials:
                limit = np.frombuffer(trial.inputs.values["t"], of)[0]
                answer = np.ascontiguousarray(program(trial.inputs.arrays["x"], limit))
                got = {"z": answer.astype(trial.expected.as_written["z"].dtype)}
                tolerances = oracle.tolerances(trial.inputs.case.sizes)
                if compare_case(task, trial.inputs, trial.expected, got, tolerances=tolerances).status is not None:
                    found.add(trial.inputs.case.near or trial.inputs.case.family.value)
            return found

        assert wrong(right) == set(), f"seed {seed}"
        assert wrong(other) == set(), f"seed {seed}"
        assert MET + "t" in wrong(strict), f"seed {seed}"


NEAR_MISSES = {
    "with a tolerance": ("float32", lambda x, t: x - t > -1e-6),
    "rounded to fewer bits": (
        "float32",
        lambda x, t: x.view(np.int32) + 16 >> 5 >= np.float32(t).view(np.int32) + 16 >> 5,
    ),
    "doubles as floats": ("float64", lambda x, t: x.astype(np.float32) >= np.float32(t)),
    "by all but the last digits": ("int64", lambda x, t: x >> 8 >= t >> 8),
    "one too low": ("int64", lambda x, t: x >= t - 1),
    "one too high": ("int64", lambda x, t: x > t),
    "as floats": ("int64", lambda x, t: x.astype(np.float32) >= np.float32(t)),
}


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_a_comparison_that_is_wrong_near_equality_is_wrong(build, sandbox, name):
    of, keeps = NEAR_MISSES[name]
    task = task_of(build, "kept at or above", of)
    for seed in SEEDS:
        oracle = Oracle(task, CompiledReference(task, sandbox), secret=seed)
        oracle.prepare()
        trials = [t for t in oracle.trials(oracle.cases(Level.FULL)) if t.inputs.case.near == MET + "t"]
        values = [(t.inputs.arrays["x"], np.frombuffer(t.inputs.values["t"], of)[0]) for t in trials]
        assert any((keeps(x, limit) != (x >= limit)).any() for x, limit in values), f"seed {seed}"


def test_a_count_by_all_but_the_last_digits_is_wrong_whatever_is_drawn(build, sandbox):
    task = task_of(build, "how many at most", "int64")
    reference = CompiledReference(task, sandbox)
    for seed in range(24):
        oracle = Oracle(task, reference, secret=seed)
        oracle.prepare()
        trials = [t for t in oracle.trials(oracle.cases(Level.FULL)) if t.inputs.case.near == MET + "t"]
        values = [(t.inputs.arrays["x"], np.frombuffer(t.inputs.values["t"], np.int64)[0]) for t in trials]
        for bits in range(1, 24):
            counts = [((x >> bits <= t >> bits).sum(), (x <= t).sum()) for x, t in values]
            assert any(wrong != right for wrong, right in counts), f"seed {seed}, {bits} bits"


def test_where_less_precision_is_allowed_nothing_lies_near(build, sandbox):
    task = task_of(build, "kept at or above", "float32")
    task = replace(task, tolerance=replace(task.tolerance, allow=("half",)))
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=1)
    oracle.prepare()
    trials = [t for t in oracle.trials(oracle.cases(Level.FULL)) if t.inputs.case.near == MET + "t"]
    assert len(trials) == 1


def test_a_fixed_scalar_is_met_where_it_is_a_power_of_two(build, sandbox):
    for value, expected in ((0.5, True), (0.3, False)):
        task = task_of(build, "a mask of what is below", "float32", value=value)
        oracle = Oracle(task, CompiledReference(task, sandbox), secret=1)
        oracle.prepare()
        met = [t for t in oracle.trials(oracle.cases(Level.FULL)) if t.inputs.case.near == MET + "t"]
        assert [(t.inputs.arrays["x"] == np.float32(value)).sum() for t in met] == ([1, 1] if expected else [])


def test_what_is_continuous_or_decided_by_rounding_has_no_such_call(build, sandbox):
    bodies = {
        "continuous": f"{EACH} z[i] = x[i] > t ? x[i] - t : 0;",
        "rounded": f"{EACH} z[i] = x[i] / s / 3 >= t / (3 * s) ? 1 : -1;",
    }
    for name, body in bodies.items():
        args = (
            build.size("n"),
            scalar("t", "float32", LIMIT),
            scalar("s", "float32", LIMIT),
            build.array("x", "n", "in", init=NORMAL),
            build.array("z", "n", "out"),
        )
        task = build.task(
            "f", f"void f(int n, float t, float s, const float* x, float* z) {{ {body} }}", args, ({"n": N},)
        )
        oracle = Oracle(task, CompiledReference(task, sandbox), secret=2)
        oracle.prepare()
        near = {trial.inputs.case.near for trial in oracle.trials(oracle.cases(Level.FULL))}
        assert MET + "t" not in near, name


def test_scalars_are_met_where_an_input_is_of_their_kind(build):
    def names(limit, array):
        args = (
            build.size("n"),
            scalar("t", limit, WIDE if limit.startswith("int") else LIMIT),
            build.array("x", "n", "in", dtype=array, init=WIDE if array.startswith("int") else NORMAL),
            build.array("z", "n", "out"),
        )
        task = build.task("f", "", args, ({"n": 8}, {"n": N}))
        cases = [
            case.near for sizes in task.check_sizes for case in edge_cases(task, sizes) if case.near.startswith(MET)
        ]
        assert cases == [MET + arg.name for arg in met_scalars(task)]
        return [arg.name for arg in met_scalars(task)]

    assert names("float32", "float32") == names("float32", "float64") == names("int32", "int64") == ["t"]
    assert names("float32", "int32") == names("int32", "float32") == names("float32", "float16") == []
