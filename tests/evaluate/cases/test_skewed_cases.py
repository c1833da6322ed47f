"""One more call at each bench shape, whose values are nearly all the same: what has room for even draws alone is refused there.

The candidates are functions over numpy arrays that do what a faulty kernel would; each has a twin that is right.
"""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.cases.bench_pools import Pools
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.skewed_cases import SkewedCases
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.compare.tolerances import uncalibrated
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import SKEWED, Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.records.expression import Expression
from regrapht.records.task import Init

SECRET = secret_from("test_skewed_cases")
MANY = 90_000


def integers(low, high):
    return Init(kind="integers", parameters={"low": low, "high": high})


HISTOGRAM = "void f(int n, const int* x, int* z) { for (int b = 0; b < 64; ++b) z[b] = 0; for (int i = 0; i < n; ++i) z[x[i]]++; }"
LONG_SUM = "void f(int n, const int* x, long long* z) { *z = 0; for (int i = 0; i < n; ++i) *z += x[i]; }"
LONGEST = """void f(int n, const int* x, int* z) {
    *z = 0;
    for (int i = 0, run = 0; i < n; ++i) { run = i > 0 && x[i] == x[i - 1] ? run + 1 : 1; if (run > *z) *z = run; }
}"""
FLOAT_BINS = """void f(int n, const float* x, int* z) {
    for (int b = 0; b < 64; ++b) z[b] = 0;
    for (int i = 0; i < n; ++i) z[(int)(x[i] * 64.0f)]++;
}"""
SHORT_SUM = "void f(int n, const int* x, int* z) { int sum = 0; for (int i = 0; i < n; ++i) sum += x[i]; *z = sum; }"
TOTAL = "void f(int n, const float* x, float* z) { float sum = 0; for (int i = 0; i < n; ++i) sum += x[i]; *z = sum; }"
UNIT = Init(kind="uniform", parameters={"low": 0.0, "high": 1.0})
SIGNED = Init(kind="uniform", parameters={"low": -1.0, "high": 1.0})


def made(build, sandbox, source, init, *, dtype="int32", out="int32", length="64", reference=CompiledReference, **more):
    """The task, with what its bench shape is tried on and the labels."""
    args = (build.size("n"), build.array("x", "n", "in", dtype=dtype, init=init))
    args = (*args, build.array("z", length, "out", dtype=out))
    task = build.task(
        "f", source, args, ({"n": 500}, {"n": 1001}), bench_sizes=({"n": MANY},), exact=out != "float32", **more
    )
    oracle = Oracle(task, reference(task, sandbox), secret=SECRET)
    return task, *oracle.skewed.trials(task.bench_sizes)


def counted(bins, kind):
    """Counters of `kind`, which wrap or stop counting where it ends."""
    counts = np.bincount(bins, minlength=64)
    if kind in (np.float16, np.float32):
        most = 2 ** (np.finfo(kind).nmant + 1)
        return np.minimum(counts, most)
    return counts.astype(kind)


def longest(x):
    edges = np.flatnonzero(np.diff(x, prepend=x[0] - 1, append=x[-1] + 1))
    return np.diff(edges).max()


CASES = {
    "counters of 16 bits": (HISTOGRAM, integers(0, 64), {}, lambda x: counted(x, np.uint16), lambda x: counted(x, int)),
    "halves that count": (HISTOGRAM, integers(0, 64), {}, lambda x: counted(x, np.float16), lambda x: counted(x, int)),
    "bins of floats": (
        FLOAT_BINS,
        UNIT,
        {"dtype": "float32"},
        lambda x: counted((x * 64).astype(int), np.uint16),
        lambda x: counted((x * 64).astype(int), int),
    ),
    "sums of 32 bits": (
        LONG_SUM,
        integers(-40000, 40000),
        {"out": "int64", "length": "1"},
        lambda x: [x.sum(dtype=np.int32)],
        lambda x: [x.sum(dtype=np.int64)],
    ),
    "lengths of 16 bits": (
        LONGEST,
        integers(0, 8),
        {"length": "1"},
        lambda x: [longest(x) & 65535],
        lambda x: [longest(x)],
    ),
    "fixed point": (
        TOTAL,
        SIGNED,
        {"dtype": "float32", "out": "float32", "length": "1"},
        lambda x: [np.round(x * 2.0**16).astype(np.int32).sum(dtype=np.int32) / 2.0**16],
        lambda x: [x.sum(dtype=np.float32)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_has_room_for_even_draws_alone(build, sandbox, name):
    source, init, more, wrong, right = CASES[name]
    task, trials, labels = made(build, sandbox, source, init, **more)
    (trial,) = trials
    even = draw(task, Case(sizes={"n": MANY}, family=Family.DECLARED), secret=SECRET, index=0).arrays["x"]
    assert np.allclose(wrong(even), right(even), rtol=1e-3), "or the even draw shows it"
    assert labels == []

    def status(candidate):
        got = {"z": np.asarray(candidate(trial.inputs.arrays["x"])).astype(trial.expected.as_written["z"].dtype)}
        return compare_case(
            task, trial.inputs, trial.expected, got, tolerances=uncalibrated(task, trial.inputs.case.sizes)
        ).status

    assert status(right) is None
    assert status(wrong) is not None


@pytest.mark.parametrize("family", SKEWED)
def test_values_lie_inside_what_is_declared(build, family):
    inits = [
        ("int32", integers(-7, 9)),
        ("uint8", integers(0, 256)),
        ("uint64", integers(0, 2**64)),
        ("int64", integers(-(2**63), 2**63)),
        ("int32", integers(5, 6)),
        ("int32", Init(kind="choice", parameters={"values": (1, 4, 9)})),
        ("int32", Init(kind="sorted", parameters={"low": -5, "high": 5})),
        ("float32", Init(kind="uniform", parameters={"low": 2.0, "high": 4.0})),
    ]
    for dtype, init in inits:
        for n in (1, 2, 127, 1000):
            args = (build.size("n"), build.array("x", "n", "in", dtype=dtype, init=init), build.array("z", "n", "out"))
            task = build.task("f", "", args, ({"n": n},))
            x = draw(task, Case(sizes={"n": n}, family=family), secret=SECRET, index=n).arrays["x"]
            low, high = (float(init.number(name, {"n": n}, {"low": 1, "high": 10}[name])) for name in ("low", "high"))
            assert x.size == n and low <= x.min() and x.max() <= high
            if init.kind == "sorted":
                assert (np.diff(x) >= 0).all()
            if dtype != "float32" or family is Family.SKEWED:
                assert np.unique(x, return_counts=True)[1].max() >= n - 2 * (n // 128)


def test_structures_stay_what_they_are(build):
    rows = Init(kind="csr_row_ptr", parameters={"nnz": Expression("3 * n")})
    for init, shape in ((rows, "n + 1"), (Init(kind="permutation", parameters={}), "n")):
        args = (build.size("n"), build.array("x", shape, "in", dtype="int32", init=init), build.array("z", "n", "out"))
        task = build.task("f", "", args, ({"n": 1000},))
        x = draw(task, Case(sizes={"n": 1000}, family=Family.SKEWED), secret=SECRET, index=0).arrays["x"]
        if shape == "n":
            assert sorted(x) == list(range(1000))
        else:
            assert x[0] == 0 and x[-1] == 3000 and np.diff(x).max() > 2900


def test_what_the_reference_does_not_define_is_not_asked(build, sandbox):
    """Its sum overflows where all numbers are large: nobody can be held to what it happens to give."""
    _, trials, labels = made(build, sandbox, SHORT_SUM, integers(0, 100_000), length="1")
    assert trials == [] and labels == [f"bench_skew_unchecked n={MANY}"]
    _, trials, labels = made(build, sandbox, SHORT_SUM, integers(0, 20_000), length="1")
    assert len(trials) == 1 and labels == []


def test_floats_whose_sum_the_reference_loses_are_not_asked(build, sandbox):
    """Added one by one to a large number they are rounded away."""
    lost = TOTAL.replace("sum = 0;", "sum = 0x1p27f;").replace("*z = sum;", "*z = sum - 0x1p27f;")
    for text, families, labels in ((lost, [], [f"bench_skew_unchecked n={MANY}"]), (TOTAL, [Family.SKEWED], [])):
        _, trials, said = made(build, sandbox, text, SIGNED, dtype="float32", out="float32", length="1")
        assert [trial.inputs.case.family for trial in trials] == families and said == labels


def test_where_half_is_accepted_floats_stay_as_declared(build, sandbox):
    args = (
        build.size("n"),
        build.array("x", "n", "in"),
        build.array("k", "n", "in", dtype="int32", init=integers(0, 9)),
    )
    task = build.task(
        "f",
        "void f(int n, const float* x, const int* k, float* z) { for (int i = 0; i < n; ++i) z[i] = x[i] * k[i]; }",
        (*args, build.array("z", "n", "out")),
        ({"n": 500},),
        bench_sizes=({"n": 5000},),
    )
    allowing = replace(task, tolerance=replace(task.tolerance, allow=("half",)))
    for one, family in ((task, Family.SKEWED), (allowing, Family.SKEWED_WHOLE)):
        ((trial,), _) = Oracle(one, CompiledReference(one, sandbox), secret=SECRET).skewed.trials(one.bench_sizes)
        assert trial.inputs.case.family is family
        assert (np.unique(trial.inputs.arrays["x"]).size > 1000) is (family is Family.SKEWED_WHOLE)


def test_nothing_to_skew_has_no_label(build, sandbox):
    source = "void f(int n, const int* x, int* z) { for (int i = 0; i < n; ++i) z[i] = x[i]; }"
    _, trials, labels = made(build, sandbox, source, Init(kind="arange", parameters={}), length="n")
    assert trials == labels == []


def test_a_pool_keeps_the_call_and_what_was_found_out(build, sandbox, tmp_path, monkeypatch):
    args = (build.size("n"), build.array("x", "n", "in", dtype="int32", init=integers(0, 100_000)))
    task = build.task("f", SHORT_SUM, (*args, build.array("z", "1", "out", dtype="int32")), ({"n": 9},), exact=True)

    def opened():
        return Oracle(task, CompiledReference(task, sandbox), pools=Pools(tmp_path / "pools", 2**30)).skewed

    shapes = [{"n": 5000}, {"n": MANY}]
    first = opened().trials(shapes)
    assert [len(part) for part in first] == [1, 1]

    def never(self, inputs):
        raise AssertionError("it lies on the disk")

    monkeypatch.setattr(SkewedCases, "_expected", never)
    again = opened().trials(shapes)
    assert (again[0][0].inputs.arrays["x"] == first[0][0].inputs.arrays["x"]).all() and again[1] == first[1]


def test_a_reference_that_takes_long_is_a_label(build, sandbox):
    class Slow(CompiledReference):
        def expected(self, inputs, *, wall_s=None, magnitudes=True):
            raise ReferenceFailed("too slow", call=0)

    _, trials, labels = made(build, sandbox, HISTOGRAM, integers(0, 64), reference=Slow)
    assert trials == [] and labels == [f"bench_skew_unchecked n={MANY}"]


def test_data_that_do_not_fit_together_are_a_label(build, sandbox, monkeypatch):
    monkeypatch.setattr("regrapht.evaluate.cases.skewed_cases._MOST_BYTES", 9 * 4 * 5000)
    args = (build.size("n"), build.array("x", "n", "in", dtype="int32", init=integers(0, 64)))
    task = build.task("f", HISTOGRAM, (*args, build.array("z", "64", "out", dtype="int32")), ({"n": 9},), exact=True)
    trials, labels = Oracle(task, CompiledReference(task, sandbox), secret=SECRET).skewed.trials(
        [{"n": 5000}, {"n": MANY}]
    )
    assert len(trials) == 1 and labels == [f"bench_skew_unchecked n={MANY}"]
