"""Requirement C4: each fault that only special values show is refused by the family that is made for it.

The candidates are functions over numpy arrays that do what a faulty kernel would.
"""

import numpy as np
import pytest

from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import WIDENED, Family, families_of, family_values, fitted, reach_of
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.task import Init
from regrapht.records.verdict import Level, Status

SECRET = secret_from("test_families")
TINY = np.float32(2.0**-126)


class Judge:
    """The families in which a candidate, a function over the inputs' arrays, is refused; and with which statuses."""

    def __init__(self, task, sandbox):
        self.task = task
        self.oracle = Oracle(task, CompiledReference(task, sandbox), secret=SECRET)
        self.oracle.prepare()
        self.trials = self.oracle.trials(self.oracle.cases(Level.FULL))

    @property
    def families(self):
        return {trial.inputs.case.family for trial in self.trials}

    def refused(self, candidate):
        found = {}
        for trial in self.trials:
            case = trial.inputs.case
            with np.errstate(all="ignore"):
                output = candidate(*trial.inputs.arrays.values()).astype(np.float32)
            tolerances = self.oracle.tolerances(case.sizes)
            compared = compare_case(self.task, trial.inputs, trial.expected, {"z": output}, tolerances=tolerances)
            if compared.status is not None:
                found.setdefault(case.family, set()).add(compared.status)
        return found


def elementwise(build, sandbox, expression, **more):
    source = f"#include <cmath>\nvoid f(int n, const float* x, const float* y, float* z) {{ for (int i = 0; i < n; ++i) {expression} }}"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "in"), build.array("z", "n", "out"))
    return Judge(build.task("f", source, args, ({"n": 1000}, {"n": 3001}), **more), sandbox)


def test_a_kernel_that_flushes_subnormals(build, sandbox):
    judge = elementwise(build, sandbox, "z[i] = 0.5f * x[i] + y[i];")
    assert judge.families == {Family.DECLARED, *WIDENED} - {Family.CLOSE}
    assert judge.refused(lambda x, y: np.float32(0.5) * x + y) == {}

    def flushing(x, y):
        x, y = (np.where(np.abs(values) < TINY, np.float32(0), values) for values in (x, y))
        return np.float32(0.5) * x + y

    assert set(judge.refused(flushing)) == {Family.DENORMALS}


def test_a_maximum_that_starts_at_zero(build, sandbox):
    source = """void f(int n, const float* x, float* z) {
        float m = x[0];
        for (int i = 1; i < n; ++i) if (x[i] > m) m = x[i];
        *z = m;
    }"""
    args = (build.size("n"), build.array("x", "n", "in"), build.array("z", "1", "out"))

    def judge(text):  # no hidden sizes: of one number alone, any family may hold a negative one
        return Judge(build.task("f", text, args, ({"n": 100}, {"n": 1001}), hidden_sizes=False), sandbox)

    largest, smallest = judge(source), judge(source.replace("> m", "< m"))
    assert largest.refused(lambda x: x.max(keepdims=True)) == {} == smallest.refused(lambda x: x.min(keepdims=True))
    assert set(largest.refused(lambda x: x.max(keepdims=True, initial=0))) == {Family.NEGATIVE}
    assert set(smallest.refused(lambda x: x.min(keepdims=True, initial=0))) == {Family.EQUAL}


def test_a_maximum_that_swallows_nan(build, sandbox):
    """`fmaxf` gives the other operand where the reference passes NaN on: zero by zero is where one comes from."""
    judge = elementwise(build, sandbox, "{ const float q = x[i] / y[i]; z[i] = q < 0 ? 0 : q; }")

    def quotient(x, y):
        return np.divide(x, y, dtype=np.float32)

    assert judge.refused(lambda x, y: np.where(quotient(x, y) < 0, np.float32(0), quotient(x, y))) == {}
    refused = judge.refused(lambda x, y: np.fmax(quotient(x, y), np.float32(0)))
    assert {Family.ZEROS} <= set(refused) <= {Family.ZEROS, Family.INTEGERS}, "whole numbers hold zeros too"
    assert all(statuses == {Status.NON_FINITE} for statuses in refused.values())


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_a_task_says_that_nan_matters_with_a_file_that_holds_some(build, sandbox, tmp_path, special):
    values = np.random.default_rng(5).standard_normal(4000).astype(np.float32)
    values[::7] = special
    np.save(tmp_path / "x.npy", values)
    data = Init(kind="file", parameters={"path": str(tmp_path / "x.npy")})
    source = "void f(int n, const float* x, float* z) { for (int i = 0; i < n; ++i) z[i] = x[i] < 0 ? 0 : x[i]; }"
    args = (build.size("n"), build.array("x", "n", "in", init=data), build.array("z", "n", "out"))
    judge = Judge(build.task("f", source, args, ({"n": 100}, {"n": 3001})), sandbox)
    assert judge.families == {Family.DECLARED}
    assert judge.refused(lambda x: np.where(x < 0, np.float32(0), x)) == {}
    wrong = {np.nan: lambda x: np.fmax(x, 0), np.inf: lambda x: np.clip(x, 0, 1e30), -np.inf: lambda x: x}
    candidate = next(wrong[key] for key in wrong if key is special or key == special)
    assert judge.refused(candidate) == {Family.DECLARED: {Status.NON_FINITE}}


def test_an_edge_that_only_whole_numbers_meet(build, sandbox):
    judge = elementwise(build, sandbox, "z[i] = std::floor(x[i]) + 0 * y[i];")
    assert judge.refused(lambda x, y: np.floor(x)) == {}
    refused = judge.refused(lambda x, y: np.ceil(x) - 1)
    assert {Family.INTEGERS, Family.ZEROS} <= set(refused) and Family.SIGNED not in refused


def test_a_fast_path_that_overflows_where_huge_numbers_meet(build, sandbox):
    """Sums in half precision, right for ordinary numbers within the bar of this lenient task, are infinite here."""
    judge = elementwise(build, sandbox, "z[i] = 16 * x[i] * std::fabs(x[i]) + y[i];")
    assert judge.refused(lambda x, y: 16 * x * np.abs(x) + y) == {}

    def through_half(x, y):
        exact = 16 * x * np.abs(x) + y
        return np.where(np.abs(exact) > 65504, np.inf, exact)

    assert {Family.CANCELLING, Family.OUTLIER, Family.WIDE} == set(judge.refused(through_half))


def test_exact_outputs_are_spared_the_edges(build):
    source = "void f(int n, const float* x, int* z) { for (int i = 0; i < n; ++i) z[i] = (int)(x[i] * 0.1f); }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("z", "n", "out", dtype="int32"))
    assert Family.INTEGERS not in families_of(build.task("f", source, args, ({"n": 10},)))


def test_what_cancels_is_left_out_without_magnitudes(build):
    """A Python reference is widened, but nobody knows how large the numbers behind its outputs were."""
    from regrapht.evaluate.reference.languages import PythonReference

    source = "def reference(n, x, z=None):\n    return {'z': x.sum(keepdims=True)}"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("z", "1", "out"))
    task = build.task("f", source, args, ({"n": 100}, {"n": 257}), length="n", file="reference.py")
    oracle = Oracle(task, PythonReference(task), secret=SECRET)
    oracle.prepare()
    families = {trial.inputs.case.family for trial in oracle.trials(oracle.cases(Level.FULL))}
    assert Family.CANCELLING not in families and {Family.SIGNED, Family.INTEGERS, Family.NEGATIVE} <= families


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 3, 5, 1000])
def test_the_new_families_are_what_they_say(build, dtype, count):
    args = (build.size("n"), build.array("x", "n", "in", dtype=dtype), build.array("z", "n", "out", dtype=dtype))
    task = build.task("f", "", args, ({"n": 1},))

    def values(family):
        from regrapht.evaluate.inputs.element_arrays import numbers

        raw = draw(task, Case(sizes={"n": count}, family=family), secret=SECRET, index=0).arrays["x"]
        return numbers(raw, SCALAR_TYPES[dtype])

    whole = values(Family.INTEGERS)
    assert (whole == np.round(whole)).all() and (np.abs(whole) <= 16).all()
    assert (values(Family.NEGATIVE) < 0).all()
    cancelling = values(Family.CANCELLING)
    huge = np.abs(cancelling) > 8
    assert (
        np.isfinite(cancelling).all()
        and cancelling[huge].sum() == 0
        and huge.sum() == (0 if count < 4 else 2 * min(max(1, count // 64), 8))
    )


DOMAINS = [
    (-1.0, 1.0),
    (-5.0, 0.5),
    (-3.0, -1.0),
    (0.0, 1.0),
    (0.1, np.inf),
    (2.0, 2.5),
    (-np.inf, np.inf),
    (-np.inf, 1.0),
]


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_family_is_what_it_is_for_in_any_domain(build, domain):
    args = (build.size("n"), build.array("x", "n", "in"), build.array("z", "n", "out"))
    task = build.task("f", "", args, ({"n": 64},))
    for seed in range(20):
        for family in WIDENED:
            made = family_values(family, np.random.default_rng(seed), 500, reach_of(task, SCALAR_TYPES["float32"]))
            values = fitted(family, made, domain)
            assert values.size == 500 and values.min() >= domain[0] and values.max() <= domain[1], (family, seed)
            steps = np.sign(np.diff(values))
            if family is Family.NEGATIVE and domain[0] < 0:
                assert (values <= 0).all() and (values < 0).mean() > 0.9, f"seed {seed}"
            if family is Family.SORTED:
                assert set(steps) - {0.0} == {1.0}, f"seed {seed}"
            if family is Family.EQUAL:
                assert len(set(values)) == 1
            if family is Family.LEVELS:
                assert len(set(values)) <= 8


DOUBLE_TASKS = {
    "sorted": (
        "for (int i = 0; i < n; ++i) { double v = x[i]; int j = i; for (; j > 0 && z[j - 1] > v; --j) z[j] = z[j - 1]; z[j] = v; }",
        "n",
        np.sort,
        lambda x: x[np.argsort(x.astype(np.float32), kind="stable")],
    ),
    "the larger of neighbours": (
        "for (int i = 0; i < n; ++i) z[i] = x[i] > x[(i + 1) % n] ? x[i] : x[(i + 1) % n];",
        "n",
        lambda x: np.maximum(x, np.roll(x, -1)),
        lambda x: np.where(x.astype(np.float32) > np.roll(x, -1).astype(np.float32), x, np.roll(x, -1)),
    ),
    "the largest": (
        "double m = x[0]; for (int i = 1; i < n; ++i) m = x[i] > m ? x[i] : m; z[0] = m;",
        "1",
        lambda x: x.max(keepdims=True),
        lambda x: x.astype(np.float32).max(keepdims=True),
    ),
    "running least": (
        "double m = x[0]; for (int i = 0; i < n; ++i) z[i] = m = x[i] < m ? x[i] : m;",
        "n",
        np.minimum.accumulate,
        lambda x: np.minimum.accumulate(x.astype(np.float32)),
    ),
    "the sum": (
        "double s = 0; for (int i = 0; i < n; ++i) s += x[i]; z[0] = s;",
        "1",
        lambda x: x[::-1].sum(keepdims=True),
        lambda x: x.astype(np.float32).sum(keepdims=True),
    ),
    "deviations": (
        "double s = 0; for (int i = 0; i < n; ++i) s += x[i]; for (int i = 0; i < n; ++i) z[i] = x[i] - s / n;",
        "n",
        lambda x: x - x[::-1].sum() * (1 / len(x)),
        lambda x: x - np.float32(x.mean()),
    ),
}


@pytest.mark.parametrize("name", DOUBLE_TASKS)
def test_doubles_handled_as_floats(build, sandbox, name):
    """By narrower keys, in narrower sums: refused; in doubles, in another order, right."""
    body, shape, right, narrow = DOUBLE_TASKS[name]
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="float64", init=Init(kind="uniform", parameters={"low": -1.0, "high": 1.0})),
        build.array("z", shape, "out", dtype="float64"),
    )
    text = f"void f(int n, const double* x, double* z) {{ {body} }}"
    task = build.task("f", text, args, ({"n": 60}, {"n": 500}), length="1" if name != "the sum" else "n")
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=SECRET)
    oracle.prepare()
    trials = oracle.trials(oracle.cases(Level.FULL))
    assert Family.CLOSE in {trial.inputs.case.family for trial in trials}

    def refused(program):
        found = set()
        for trial in trials:
            tolerances = oracle.tolerances(trial.inputs.case.sizes)
            got = {"z": np.ascontiguousarray(program(trial.inputs.arrays["x"])).astype(np.float64)}
            if compare_case(task, trial.inputs, trial.expected, got, tolerances=tolerances).status is not None:
                found.add(trial.inputs.case.family)
        return found

    assert refused(right) <= {Family.ZEROS}, "the sign of zero is nobody's to say" if name == "sorted" else name
    assert Family.CLOSE in refused(narrow)
