"""Values that are lost: dropped below a threshold, clamped above one, without their sign, rounded to a grid. No bar relative to larger
values lets them pass, however lenient the task is; below the `atol` of a task its author says that nothing matters.

The candidates are functions over numpy arrays that change their inputs as a faulty kernel would, and then compute what is right.
"""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.inputs.drawing import secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.task import Init
from regrapht.records.verdict import Level

SECRET = secret_from("test_thresholds")
WIDTH = 40
TASKS = {
    "elements": ("for (int i = 0; i < n; ++i) z[i] = 3 * x[i];", "n", "1", lambda x: 3 * x),
    "offset": ("for (int i = 0; i < n; ++i) z[i] = x[i] + 1;", "n", "1", lambda x: x + np.float32(1)),
    "squares": ("for (int i = 0; i < n; ++i) z[i] = x[i] * x[i];", "n", "1", lambda x: x * x),
    "rows": (
        f"for (int i = 0; i < n / {WIDTH}; ++i) {{ float s = 0; for (int j = 0; j < {WIDTH}; ++j) s += x[{WIDTH} * i + j]; z[i] = s; }}",
        f"n // {WIDTH}",
        f"{WIDTH}",
        lambda x: x.reshape(-1, WIDTH).sum(axis=1),
    ),
    "total": (
        "float s = 0; for (int i = 0; i < n; ++i) s += x[i]; z[0] = s;",
        "1",
        "n",
        lambda x: x.sum(keepdims=True),
    ),
}
FAULTS = {
    "dropped to 1e-3": lambda x: np.where(np.abs(x) <= 1e-3, 0, x),
    "dropped to 1e-7": lambda x: np.where(np.abs(x) <= 1e-7, 0, x),
    "clamped at 1000": lambda x: np.clip(x, -1e3, 1e3),
    "small ones positive": lambda x: np.where(np.abs(x) < 1e-2, np.abs(x), x),
    "a grid of 1e-3": lambda x: np.round(x * 1000) / 1000,
    "a grid of 2^-14": lambda x: np.round(x * 2.0**14) / 2.0**14,
    "at least 1e-4": lambda x: np.where(np.abs(x) < 1e-4, np.copysign(1e-4, x), x),
}
SAYS_NOTHING = {
    None: {("offset", "dropped to 1e-7"), ("squares", "small ones positive")},  # one and so little is one
    0.01: {("offset", fault) for fault in ("dropped to 1e-7", "dropped to 1e-3", "at least 1e-4")}
    | {("squares", "small ones positive")},
}
"""Where the output is the same, or within what the task allows relative to it."""


@pytest.fixture(scope="module", params=TASKS)
def judged(request, build, sandbox):
    """A task with its cases, and what is right."""
    body, shape, length, right = TASKS[request.param]
    source = f"void f(int n, const float* x, float* z) {{ {body} }}"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("z", shape, "out"))
    sizes = ({"n": WIDTH}, {"n": 25 * WIDTH}, {"n": 70 * WIDTH})
    task = build.task(
        "f", source, args, sizes, length=length, require=(f"n % {WIDTH} == 0",), deterministic=length == "1"
    )
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=SECRET)
    oracle.prepare()
    return request.param, task, oracle, oracle.trials(oracle.cases(Level.FULL)), right


@pytest.mark.parametrize("rtol", [None, 0.01])
def test_lost_values_are_found(judged, rtol):
    name, task, oracle, trials, right = judged
    lenient = replace(task, tolerance=replace(task.tolerance, rtol=rtol))

    def refused(fault):
        found = set()
        for trial in trials:
            tolerances = oracle.tolerances(trial.inputs.case.sizes)
            if rtol is not None:
                tolerances = {key: replace(one, rtol=rtol) for key, one in tolerances.items()}
            with np.errstate(all="ignore"):
                got = right(fault(trial.inputs.arrays["x"]).astype(np.float32)).astype(np.float32)
            if (
                compare_case(lenient, trial.inputs, trial.expected, {"z": got}, tolerances=tolerances).status
                is not None
            ):
                found.add(trial.inputs.case.family)
        return found

    assert refused(lambda x: x) == set()
    missed = {fault for fault in FAULTS if not refused(FAULTS[fault])}
    assert missed == {fault for fault in FAULTS if (name, fault) in SAYS_NOTHING[rtol]}


def test_small_values_stay_in_their_domain(build, sandbox):
    positive = Init(kind="uniform", parameters={"low": 0.5, "high": 2.0})
    args = (build.size("n"), build.array("x", "n", "in", init=positive), build.array("z", "n", "out"))
    task = build.task(
        "f",
        "void f(int n, const float* x, float* z) { for (int i = 0; i < n; ++i) z[i] = 1 / x[i]; }",
        args,
        ({"n": 300},),
    )
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=SECRET)
    (small,) = (t for t in oracle.trials(oracle.cases(Level.FULL)) if t.inputs.case.family is Family.SMALL)
    assert small.inputs.arrays["x"].min() >= 0.5
