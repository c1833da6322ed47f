"""NaN and infinity of a reference that come of rounding, or of values that are made for something else, refuse nobody."""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.cases.bench_pools import MOST_DRAWS
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.inputs.drawing import Case
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.task import Init

N, MANY = 61, 4000
HEAD = "#include <cmath>\nvoid f(int n, const FLOAT* x, float* z) { float s = 0, q = 0, t = 0; "
SUMS = "for (int i = 0; i < n; ++i) { s += x[i]; q += (float)x[i] * x[i]; } "
SPREAD = SUMS + "s /= n; for (int i = 0; i < n; ++i) t += (x[i] - s) * (x[i] - s); "
EACH = "for (int i = 0; i < n; ++i) z[i] = "
UNIT = Init(kind="uniform", parameters={"low": 0.5, "high": 1.5})
WHOLE = Init(kind="integers", parameters={"low": -6, "high": 7})
POSITIVE = Init(kind="integers", parameters={"low": 1, "high": 9})

FLOATS = {
    "a deviation of equal values": (SPREAD + EACH + "(x[i] - s) / std::sqrt(t / n); }", Family.EQUAL, False),
    "a logarithm of what cancels": (SPREAD + EACH + "x[i] + std::log(t); }", Family.EQUAL, False),
    "an angle with itself": (
        SUMS + EACH + "x[i] + std::acos(q / (std::sqrt(q) * std::sqrt(q)) + 1e-7f); }",
        Family.EQUAL,
        False,
    ),
    "a divisor that is an input": (EACH + "1.0f / x[i]; }", Family.ZEROS, True),
    "a norm of nothing": (SUMS + EACH + "x[i] / std::sqrt(q); }", Family.ZEROS, True),
    "a logarithm of zeros": (EACH + "std::log(std::fabs(x[i])); }", Family.ZEROS, True),
    "roots of what is negative": (EACH + "std::sqrt(x[i]); }", Family.NEGATIVE, True),
    "ordinary numbers": (SPREAD + EACH + "(x[i] + s) / std::sqrt(t / n + 1.0f); }", Family.EQUAL, True),
}
WHOLES = {
    "a deviation of one value": (SPREAD + EACH + "(x[i] - s) / std::sqrt(t / n); }", WHOLE, Family.ONE_VALUE, False),
    "a sum that comes to zero": (SUMS + EACH + "x[i] / (s - n * x[0]); }", WHOLE, Family.ONE_VALUE, False),
    "declared values divide by zero too": (EACH + "1.0f / x[i]; }", WHOLE, Family.ENDS, True),
    "nothing is divided": (SUMS + EACH + "x[i] + s; }", WHOLE, Family.ONE_VALUE, True),
}


def opened(build, sandbox, text, *, dtype, init):
    source = (HEAD + text).replace("FLOAT", "float" if dtype == "float32" else "int")
    args = (build.size("n"), build.array("x", "n", "in", dtype=dtype, init=init), build.array("z", "n", "out"))
    task = build.task("f", source, args, ({"n": N},), bench_sizes=({"n": MANY},), length="n")
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=7)
    oracle.prepare()
    return task, oracle


def asked(oracle, family):
    return bool(oracle.trials([Case(sizes={"n": N}, family=family)]))


@pytest.mark.parametrize("name", FLOATS)
def test_floats_whose_last_bits_decide_refuse_nobody(build, sandbox, name):
    text, family, held = FLOATS[name]
    _, oracle = opened(build, sandbox, text, dtype="float32", init=UNIT)
    assert asked(oracle, family) is held


@pytest.mark.parametrize("name", WHOLES)
def test_whole_numbers_that_bring_new_nan_refuse_nobody(build, sandbox, name):
    text, init, family, held = WHOLES[name]
    _, oracle = opened(build, sandbox, text, dtype="int32", init=init)
    assert asked(oracle, family) is held


@pytest.mark.parametrize(
    ("text", "init", "held"),
    [
        (SUMS + EACH + "x[i] / (x[n / 3] - x[n / 2]); }", UNIT, False),  # 0 / 0 under one value in a row
        (EACH + "std::sqrt(x[i] - x[(i + 1) % n] + 4.0f) / (x[i] - x[0] + 9.0f); }", UNIT, True),
        (
            EACH + "std::log(std::fabs((float)(x[i] - x[n - 1 - i]))); }",
            POSITIVE,
            True,
        ),  # declared ones have equals too
        (EACH + "std::exp((float)x[i] * 16.0f); }", POSITIVE, True),
    ],
)
def test_skewed_values_that_bring_new_nan_refuse_nobody(build, sandbox, text, init, held):
    task, oracle = opened(build, sandbox, text, dtype="float32" if init is UNIT else "int32", init=init)
    trials, labels = oracle.skewed.trials(task.bench_sizes)
    families = [trial.inputs.case.family for trial in trials]
    assert (Family.SKEWED in families) is held, (families, labels)
    assert all(np.isfinite(trial.expected.as_written["z"]).all() for trial in trials) or held


ITERATED = (
    "for (int i = 0; i < n; ++i) { double v = x[i]; for (int k = 0; k < TIMES; ++k) v = 3.9 * v * (1 - v); z[i] = v; }"
)


@pytest.mark.parametrize(("share", "times"), [("0.5", 80), ("0.02", 80)])
def test_a_draw_on_which_the_reference_loses_its_digits_is_drawn_again(build, sandbox, share, times):
    """Chaotic where the first element is large, and steady elsewhere, as an iteration that converges for some systems alone."""
    text = (
        "void f(int n, const double* x, double* z) { "
        + ITERATED.replace("TIMES", f"(x[0] > {share} ? {times} : 2)")
        + " }"
    )
    start = Init(kind="uniform", parameters={"low": 0.0, "high": 1.0})
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="float64", init=start),
        build.array("z", "n", "out", dtype="float64"),
    )
    task = build.task("f", text, args, ({"n": N},), bench_sizes=({"n": MANY},))
    for seed in range(6):
        oracle = Oracle(task, CompiledReference(task, sandbox), secret=seed)
        declared = oracle.trials([Case(sizes={"n": N}, family=Family.DECLARED)])
        bench = oracle.bench.trials({"n": MANY})
        redrawn = [trial.inputs.arrays["x"][0] <= float(share) for trial in (*declared, *bench)]
        assert len(redrawn) == 2 and (share != "0.5" or all(redrawn)), "seed " + str(seed)


class Counting:
    """A reference that counts the calls that it is asked for."""

    def __init__(self, reference):
        self._reference, self.calls = reference, 0

    def __getattr__(self, name):
        return getattr(self._reference, name)

    def expected(self, inputs, **more):
        self.calls += len(inputs)
        return self._reference.expected(inputs, **more)


def test_only_declared_draws_are_drawn_again_and_the_calls_near_them(build, sandbox):
    text = "void f(int n, const double* x, double* z) { " + ITERATED.replace("TIMES", "(x[0] > 0.5 ? 80 : 2)") + " }"
    start = Init(kind="uniform", parameters={"low": 0.0, "high": 1.0})
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="float64", init=start),
        build.array("z", "n", "out", dtype="float64"),
    )
    task = build.task("f", text, args, ({"n": N},), bench_sizes=({"n": MANY},))
    other = [Case(sizes={"n": N}, family=family) for family in (Family.SIGNED, Family.EQUAL, Family.SORTED)]
    declared = Case(sizes={"n": N}, family=Family.DECLARED)
    cases = [other[0], declared, replace(declared, near="x"), replace(declared, near="x"), *other[1:]]
    redrawn = 0
    for seed in range(6):
        reference = Counting(CompiledReference(task, sandbox))
        oracle = Oracle(task, reference, secret=seed)
        found = oracle.trials(cases, secret=seed)
        more = reference.calls - len(cases)
        assert more == 0 or 4 <= more <= MOST_DRAWS + 3, f"seed {seed}: {reference.calls} calls"
        redrawn += more
        first, second, third = (one.inputs for one in found if one.inputs.case.family is Family.DECLARED)
        assert first.arrays["x"][0] <= 0.5, f"seed {seed}"
        for before, after in ((first, second), (second, third)):
            assert 1 <= np.count_nonzero(before.arrays["x"] != after.arrays["x"]) <= 2, f"seed {seed}"
    assert redrawn, "some seed has a draw that is not clear"


def test_where_no_draw_is_clear_it_is_asked_once(build, sandbox):
    text = "void f(int n, const double* x, double* z) { " + ITERATED.replace("TIMES", "80") + " }"
    start = Init(kind="uniform", parameters={"low": 0.0, "high": 1.0})
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="float64", init=start),
        build.array("z", "n", "out", dtype="float64"),
    )
    reference = Counting(CompiledReference(build.task("f", text, args, ({"n": N},)), sandbox))
    oracle = Oracle(build.task("f", text, args, ({"n": N},)), reference, secret=3)
    counts = []
    for _ in range(2):
        before = reference.calls
        assert len(oracle.trials([Case(sizes={"n": N}, family=Family.DECLARED)])) == 1
        counts.append(reference.calls - before)
    assert counts == [1 + MOST_DRAWS + 1, 1]
