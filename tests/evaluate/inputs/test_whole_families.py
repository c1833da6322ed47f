"""Requirement C4 for whole numbers: repetition, order and ends of the range find what an even draw never shows.

The candidates are functions over numpy arrays that do what a faulty kernel would; each has a twin that is right.
"""

import numpy as np
import pytest

from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import WHOLE, Family
from regrapht.evaluate.inputs.whole_families import whole_families
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.element import SCALAR_TYPES, StructType
from regrapht.records.expression import Expression
from regrapht.records.task import Init
from regrapht.records.verdict import Level

SECRET = secret_from("test_whole_families")


def values_of(build, init, *, dtype="int32", shape="n", n=4000, family, index=0):
    args = (build.size("n"), build.array("x", shape, "in", dtype=dtype, init=init), build.array("z", "n", "out"))
    task = build.task("f", "", args, ({"n": n},))
    return draw(task, Case(sizes={"n": n}, family=family), secret=SECRET, index=index).arrays["x"]


def integers(low, high, *, kind="integers"):
    return Init(kind=kind, parameters={"low": low, "high": high})


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("int32", 0, 256),
        ("int32", -1000, 1000),
        ("int8", -128, 128),
        ("uint8", 0, 256),
        ("uint32", 0, 2**32),
        ("int64", -(2**63), 2**63),
        ("uint64", 0, 2**64),
    ],
)
def test_all_families_stay_inside_the_declared_range(build, dtype, low, high):
    for family in WHOLE:
        values = values_of(build, integers(low, high), dtype=dtype, family=family)
        assert values.dtype == dtype and values.size == 4000
        assert low <= int(values.min()) and int(values.max()) < high, family


@pytest.mark.parametrize("high", [1, 2, 3, 8, 17])
def test_narrow_ranges_have_their_families(build, high):
    for family in WHOLE:
        values = values_of(build, integers(0, high), family=family)
        assert values.min() >= 0 and values.max() < high


def test_what_each_family_is(build):
    drawn = {family: values_of(build, integers(-500, 500), family=family) for family in WHOLE}
    kinds = {family: np.unique(values) for family, values in drawn.items()}
    assert kinds[Family.ONE_VALUE].size == 1 and kinds[Family.TWO_VALUES].size == 2
    assert kinds[Family.EIGHT_VALUES].size == 8 and set(kinds[Family.ENDS]) == {-500, 499}
    assert 0.85 < np.unique(drawn[Family.MOSTLY_ONE], return_counts=True)[1].max() / 4000 < 0.95
    assert (np.diff(drawn[Family.ASCENDING]) >= 0).all() and (np.diff(drawn[Family.DESCENDING]) <= 0).all()
    assert kinds[Family.CLUSTERED].size <= 12 and (np.diff(drawn[Family.RUNS]) == 0).mean() > 0.9


def test_sorted_arrays_stay_sorted(build):
    for dtype, low, high in (("int32", -50, 1000), ("float32", -1.0, 2.0)):
        init = Init(kind="sorted", parameters={"low": low, "high": high})
        for family in WHOLE:
            values = values_of(build, init, dtype=dtype, family=family)
            assert (np.diff(values) >= 0).all() and low <= values.min() and values.max() <= high
        assert np.unique(values_of(build, init, dtype=dtype, family=Family.TWO_VALUES)).size == 2


def test_permutations_stay_permutations(build):
    for family in WHOLE:
        assert sorted(values_of(build, Init(kind="permutation", parameters={}), family=family)) == list(range(4000))


def test_row_starts_stay_row_starts(build):
    init = Init(kind="csr_row_ptr", parameters={"nnz": Expression("3 * n")})
    for family in WHOLE:
        starts = values_of(build, init, shape="n + 1", family=family)
        assert starts[0] == 0 and starts[-1] == 12000 and (np.diff(starts) >= 0).all(), family
    assert np.diff(values_of(build, init, shape="n + 1", family=Family.ONE_VALUE)).max() == 12000


def test_choices_are_of_the_list(build):
    init = Init(kind="choice", parameters={"values": (1, 4, 9, 4)})
    for family in WHOLE:
        assert set(values_of(build, init, family=family)) <= {1, 4, 9}


def test_whole_numbers_of_structs(build):
    pair = StructType(c_name="Pair", fields=(("x", SCALAR_TYPES["float32"]), ("key", SCALAR_TYPES["int32"])))
    arg = build.array("p", "n", "in", init=integers(0, 64))
    arg = type(arg)(name="p", kind=arg.kind, dtype=pair, shape=arg.shape, role=arg.role, init=arg.init)
    task = build.task("f", "", (build.size("n"), arg, build.array("z", "n", "out")), ({"n": 500},))
    drawn = draw(task, Case(sizes={"n": 500}, family=Family.ONE_VALUE), secret=SECRET, index=0).arrays["p"]
    assert np.unique(drawn["key"]).size == 1 and np.unique(drawn["x"]).size > 100


def test_floats_and_fixed_arrays_have_none(build):
    for dtype, init in (("float32", None), ("int32", Init(kind="arange", parameters={})), ("int32", integers(3, 4))):
        args = (build.size("n"), build.array("x", "n", "in", dtype=dtype, init=init), build.array("z", "n", "out"))
        assert whole_families(build.task("f", "", args, ({"n": 10},)), {"n": 10}) == ()


HISTOGRAM = "void f(int n, const int* x, int* z) { for (int b = 0; b < 64; ++b) z[b] = 0; for (int i = 0; i < n; ++i) z[x[i]]++; }"
SORT = """#include <algorithm>
void f(int n, const int* x, int* z) { std::copy(x, x + n, z); std::sort(z, z + n); }"""
TOP = """#include <algorithm>
#include <functional>
void f(int n, const int* x, int* z) { std::partial_sort_copy(x, x + n, z, z + 8, std::greater<int>()); }"""
FIRST_LARGEST = (
    "void f(int n, const float* x, int* z) { int b = 0; for (int i = 1; i < n; ++i) if (x[i] > x[b]) b = i; *z = b; }"
)
FIRST_SMALLEST = FIRST_LARGEST.replace("float* x", "int* x").replace(">", "<")
COUNT_BELOW = "void f(int n, const int* x, int* z) { *z = 0; while (*z < n && x[*z] < 500) ++*z; }"


def counted(x, limit=2**30):
    return np.bincount(x, minlength=64).astype(np.int64) % limit


def bucket_sorted(x, room):
    buckets = [np.sort(x[x * 32 // 1000 == b])[:room] for b in range(32)]
    found = np.concatenate(buckets)
    return np.concatenate([found, np.zeros(x.size - found.size, found.dtype)])


def best_of_parts(x, kept):
    parts = [np.sort(part)[::-1][:kept] for part in np.array_split(x, 64)]
    return np.sort(np.concatenate([*parts, np.full(8, -1)]))[::-1][:8]


def last_one(x, best):
    return np.flatnonzero(x == best(x))[-1:]


@pytest.mark.parametrize(
    ("source", "init", "dtype", "length", "wrong", "right"),
    [
        (HISTOGRAM, integers(0, 64), "int32", "64", lambda x: counted(x, 256), counted),
        (HISTOGRAM, integers(0, 64), "int32", "64", lambda x: np.minimum(counted(x), 1023), counted),
        (SORT, integers(0, 1000), "int32", "n", lambda x: bucket_sorted(x, 200), lambda x: bucket_sorted(x, 10**6)),
        (TOP, integers(0, 10**6), "int32", "8", lambda x: best_of_parts(x, 4), lambda x: best_of_parts(x, 8)),
        (FIRST_LARGEST, None, "float32", "1", lambda x: last_one(x, np.max), lambda x: [np.argmax(x)]),
        (FIRST_SMALLEST, integers(0, 10**9), "int32", "1", lambda x: last_one(x, np.min), lambda x: [np.argmin(x)]),
        (
            COUNT_BELOW,
            Init(kind="sorted", parameters={"low": 0, "high": 1000}),
            "int32",
            "1",
            lambda x: [np.flatnonzero(np.abs(x - 500) == np.abs(x - 500).min())[0] + (x.min() < 500)],
            lambda x: [np.searchsorted(x, 500)],
        ),
    ],
    ids=["byte-counters", "saturating", "full-buckets", "few-a-part", "float-ties", "integer-ties", "duplicates"],
)
def test_what_even_draws_never_show(build, sandbox, source, init, dtype, length, wrong, right):
    args = (build.size("n"), build.array("x", "n", "in", dtype=dtype, init=init))
    args = (*args, build.array("z", length, "out", dtype="int32"))
    task = build.task("f", source, args, ({"n": 1030}, {"n": 4001}), exact=True, require=("n >= 900",))
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=SECRET)
    trials = oracle.trials(oracle.cases(Level.FULL))

    def refused(candidate):
        found = set()
        for trial in trials:
            got = {
                "z": np.asarray(candidate(trial.inputs.arrays["x"].astype(np.float64 if init is None else np.int64)))
            }
            got["z"] = got["z"].astype(np.int32)
            if compare_case(task, trial.inputs, trial.expected, got, tolerances={}).status is not None:
                found.add(trial.inputs.case.family)
        return found

    assert refused(right) == set()
    assert refused(wrong)


def test_each_shape_has_its_share(build, sandbox):
    args = (build.size("n"), build.array("x", "n", "in", dtype="int32", init=integers(0, 64)))
    args = (*args, build.array("z", "64", "out", dtype="int32"))
    task = build.task("f", HISTOGRAM, args, ({"n": 9}, {"n": 40}, {"n": 500}), exact=True, hidden_sizes=False)
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=SECRET)
    cases = oracle.cases(Level.FULL)
    assert {case.family for case in cases if case.sizes["n"] == 500} == {Family.DECLARED, *WHOLE}
    assert [sum(case.sizes["n"] == n and case.family in WHOLE for case in cases) for n in (9, 40)] == [1, 1]
    screened = oracle.cases(Level.SCREEN)
    assert sum(case.family in WHOLE for case in screened) == 2 and sum(bool(case.near) for case in screened) == 1


def test_what_the_reference_cannot_take_is_left_out(build, sandbox):
    source = """void f(int n, const int* x, int* z) {
        int low = x[0], high = x[0];
        for (int i = 1; i < n; ++i) { low = x[i] < low ? x[i] : low; high = x[i] > high ? x[i] : high; }
        *z = 100000 / (high - low);
    }"""
    args = (build.size("n"), build.array("x", "n", "in", dtype="int32", init=integers(0, 1000)))
    task = build.task("f", source, (*args, build.array("z", "1", "out", dtype="int32")), ({"n": 30}, {"n": 900}))
    oracle = Oracle(task, CompiledReference(task, sandbox), secret=SECRET)
    families = {case.family for case in oracle.cases(Level.FULL) if case.sizes["n"] == 900}
    assert families == {Family.DECLARED, *WHOLE} - {Family.ONE_VALUE}


def test_eight_values_of_one_array_are_in_the_next(build):
    """Keys that are looked for are there, each many times; an order that the init has stays, and ranges are kept."""
    args = (build.size("n"), build.size("m"))
    args += (build.array("keys", "n", "in", dtype="int32", init=integers(0, 1000, kind="sorted")),)
    args += (build.array("q", "m", "in", dtype="int32", init=integers(-5, 900)),)
    args += (build.array("late", "m", "in", dtype="int32", init=integers(0, 1000, kind="sorted")),)
    task = build.task(
        "f", "void f() {}", (*args, build.array("y", "m", "out", dtype="int32")), ({"n": 400, "m": 200},), exact=True
    )
    for index in range(20):
        case = Case(sizes=task.check_sizes[0], family=Family.EIGHT_VALUES)
        arrays = draw(task, case, secret=SECRET, index=index).arrays
        keys, q, late = arrays["keys"], arrays["q"], arrays["late"]
        assert len(set(keys)) <= 8 and q.min() >= -5 and q.max() < 900
        if (keys < 900).any():
            assert np.isin(q, keys).sum() >= 100
        assert (np.diff(keys) >= 0).all() and (np.diff(late) >= 0).all()
