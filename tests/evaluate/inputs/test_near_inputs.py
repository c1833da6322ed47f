"""Calls that differ from the one before in one element: what refuses results that are kept under weak keys."""

import numpy as np
import pytest

from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.scalar_cases import SCALAR
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.inputs.near_inputs import SWAP, near, near_changes
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Init
from regrapht.records.verdict import Level

SECRET = secret_from("test_near_inputs")


def init(kind, **parameters):
    return Init(kind=kind, parameters=parameters)


@pytest.mark.parametrize(
    ("shape", "dtype", "drawn"),
    [
        ("n", "float32", None),
        ("n", "float64", init("uniform", low=0.5, high=1.5)),
        ("n", "int32", init("integers", low=0, high=9)),
        ("n", "uint8", init("choice", values=(3, 7))),
        ("n", "int32", init("sorted", low=0, high=500)),
        ("n", "float32", init("sorted", low=0.0, high=1.0)),
        ("n", "int32", init("permutation")),
        ("n + 1", "int32", init("csr_row_ptr", nnz=Expression("4 * n"))),
        ("n", "int32", init("csr_col_idx", cols=Expression("n"))),
    ],
)
def test_little_changes_and_stays_as_declared(build, shape, dtype, drawn):
    args = (build.size("n"), build.array("x", shape, "in", dtype=dtype, init=drawn), build.array("z", "n", "out"))
    task = build.task("f", "", args, ({"n": 200},))
    base = draw(task, Case(sizes={"n": 200}, family=Family.DECLARED), secret=SECRET, index=0)
    assert near_changes(task)[0] == "x"
    for seed in range(8):
        changed = near(task, base, "x", np.random.default_rng(seed)).arrays["x"]
        before = base.arrays["x"]
        differing = int((changed != before).sum())
        if drawn is not None and drawn.kind == "permutation":
            assert differing == 2 and sorted(changed) == list(range(200))
        else:
            assert differing == 1
        if drawn is not None and drawn.kind in ("sorted", "csr_row_ptr"):
            assert (np.diff(changed) >= 0).all() and changed[0] == before[0] and changed[-1] == before[-1]
        elif drawn is not None and drawn.kind == "integers":
            assert changed.min() >= 0 and changed.max() < 9


def test_what_cannot_change_is_none(build):
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="int32", init=init("arange")),
        build.array("z", "n", "out"),
    )
    assert near_changes(build.task("f", "", args, ({"n": 5},))) == ()
    args = (build.size("n"), build.array("x", "n", "in", dtype="int32", init=init("integers", low=3, high=4)), args[2])
    task = build.task("f", "", args, ({"n": 5},))
    base = draw(task, Case(sizes={"n": 5}, family=Family.DECLARED), secret=SECRET, index=0)
    assert near(task, base, "x", np.random.default_rng(1)) is None


SCALED = "void f(int n, const float* x, const int* at, float a, float* z) { for (int i = 0; i < n; ++i) z[i] = a * x[at[i]]; }"
KEYS = {
    "a sample of each": lambda i: (i["x"][[0, 500, 999]].tobytes(), i["at"][[0, 500, 999]].tobytes(), i["a"]),
    "every tenth element": lambda i: (i["x"][::10].tobytes(), i["at"].tobytes(), i["a"]),
    "a sum": lambda i: (float(np.sort(i["x"]).sum()), i["at"].tobytes(), i["a"]),
    "no index array": lambda i: (i["x"].tobytes(), i["a"]),
    "no scalar": lambda i: (i["x"].tobytes(), i["at"].tobytes()),
    "the length": lambda i: i["x"].size,
}


@pytest.mark.parametrize("key", [*KEYS, "everything"])
def test_a_result_that_is_kept_under_a_weak_key(build, sandbox, key):
    key_of = KEYS.get(key, lambda i: (i["x"].tobytes(), i["at"].tobytes(), i["a"]))
    args = (build.size("n"), build.array("x", "n", "in"))
    args = (*args, build.array("at", "n", "in", dtype="int32", init=init("integers", low=0, high=Expression("n"))))
    scalar = Arg(name="a", kind=ArgKind.SCALAR, dtype=SCALAR_TYPES["float32"], init=init("uniform", low=1.0, high=2.0))
    args = (*args, scalar, build.array("z", "n", "out"))
    task = build.task("f", SCALED, args, ({"n": 1000},), hidden_sizes=False)
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=SECRET)
    trials = oracle.trials(oracle.cases(Level.FULL))
    assert {trial.inputs.case.near for trial in trials} == {
        "",
        "x",
        "at",
        "a",
        SWAP + "x",
        SWAP + "at",
        SCALAR + "a = 1.0",
    }
    kept, refused = {}, []
    for trial in trials:
        inputs = {**trial.inputs.arrays, "a": np.frombuffer(trial.inputs.values["a"], np.float32)[0]}
        if key_of(inputs) not in kept:  # the last result alone
            kept = {key_of(inputs): inputs["a"] * inputs["x"][inputs["at"]]}
        tolerances = oracle.tolerances(trial.inputs.case.sizes)
        compared = compare_case(task, trial.inputs, trial.expected, {"z": kept[key_of(inputs)]}, tolerances=tolerances)
        refused += [trial.inputs.case.near] if compared.status is not None else []
    assert bool(refused) == (key != "everything")
