"""The comparison: what passes, what fails, and under which name."""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.compare.outputs import compare_case, is_decided, is_well_posed, same_bytes
from regrapht.evaluate.compare.tolerances import calibrate, uncalibrated
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import Expected, WideColumn
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.task import Compare
from regrapht.records.verdict import Level, Status

SECRET = secret_from("test_correctness")


class Judge:
    """One task's reference at one shape, ready to compare arrays with."""

    def __init__(self, task, sandbox, sizes, family=Family.SIGNED, index=0):
        self.task, self.sizes = task, sizes
        reference = CompiledReference(task, sandbox)
        self.inputs = draw(task, Case(sizes=sizes, family=family), secret=SECRET, index=index)
        self.expected = reference.expected([self.inputs])[0]
        self.tolerances = calibrate(task, reference, sizes, secret=SECRET + 1)

    def __call__(self, **outputs):
        got = {arg.name: self.inputs.arrays[arg.name] for arg in self.task.inputs}
        return compare_case(self.task, self.inputs, self.expected, {**got, **outputs}, tolerances=self.tolerances)


def float_sum(values, order):
    if order == "in order":
        return np.cumsum(values, dtype=np.float32)[-1:]
    if order == "pairwise":
        return np.array([np.sum(values, dtype=np.float32)])
    return np.cumsum(np.random.default_rng(11).permutation(values), dtype=np.float32)[-1:]


@pytest.mark.parametrize("n", [64, 131072])
@pytest.mark.parametrize("order", ["in order", "pairwise", "any order"])
@pytest.mark.parametrize("family", [Family.SIGNED, Family.EQUAL, Family.OUTLIER])
def test_honest_sums_pass_in_any_order(dot, sandbox, n, order, family):
    judge = Judge(dot, sandbox, {"n": n}, family)
    products = judge.inputs.arrays["x"] * judge.inputs.arrays["y"]
    result = judge(result=float_sum(products, order))
    assert result.status is None, result


@pytest.mark.parametrize("k", [64, 16384])
def test_lower_precision_fails(gemm, sandbox, k):
    judge = Judge(gemm, sandbox, {"M": 8, "N": 8, "K": k})
    a, b = judge.inputs.arrays["A"].reshape(8, k), judge.inputs.arrays["B"].reshape(k, 8)

    def rounded(x, bits):
        mantissa, exponent = np.frexp(x)
        return np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits).astype(np.float32)

    assert judge(C=(a @ b).ravel()).status is None
    assert judge(C=(rounded(a, 11) @ rounded(b, 11)).ravel()).status is Status.WRONG_VALUE, "TF32 or half inputs"
    assert judge(C=(a @ b).ravel().astype(np.float16).astype(np.float32)).status is Status.WRONG_VALUE, "half outputs"
    allowed = replace(gemm, tolerance=replace(gemm.tolerance, allow=frozenset({"tf32"})))
    lenient = Judge(allowed, sandbox, {"M": 8, "N": 8, "K": k})
    assert lenient(C=(rounded(a, 11) @ rounded(b, 11)).ravel()).status is None


def test_one_bad_element_among_many_fails(saxpy, sandbox):
    judge = Judge(saxpy, sandbox, {"n": 100_000})
    right = judge.expected.as_written["y"].copy()
    assert judge(y=right).status is None
    wrong = right.copy()
    wrong[12_345] += np.float32(1e-3)
    result = judge(y=wrong)
    assert result.status is Status.WRONG_VALUE and result.result.mismatches == 1 and "[12345]" in result.what


def test_classes_have_their_places(build, sandbox):
    source = (
        "void f(int n, const float* x, const float* y, float* z) { for (int i = 0; i < n; ++i) z[i] = x[i] / y[i]; }"
    )
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "in"), build.array("z", "n", "out"))
    task = build.task("f", source, args, ({"n": 40},))
    judge = Judge(task, sandbox, {"n": 40}, Family.ZEROS)
    right = judge.expected.as_written["z"]
    assert np.isnan(right).all()
    other_nan = np.full(40, np.nan, np.float32).view(np.uint32)
    other_nan[:] = 0x7FFFFFFF
    assert judge(z=other_nan.view(np.float32)).status is None, "any NaN is a NaN"
    assert judge(z=np.zeros(40, np.float32)).status is Status.NON_FINITE, "swallowed"
    finite = Judge(task, sandbox, {"n": 40}, Family.SIGNED)
    spoiled = finite.expected.as_written["z"].copy()
    spoiled[7] = np.nan
    assert finite(z=spoiled).status is Status.NON_FINITE, "a NaN is no wildcard"
    spoiled[7] = np.inf
    assert finite(z=spoiled).status is Status.NON_FINITE


@pytest.mark.parametrize("index", [0, 1])
def test_poison_left_behind_is_unwritten(gemm, sandbox, index):
    judge = Judge(gemm, sandbox, {"M": 16, "N": 16, "K": 4}, index=index)
    outputs = judge.expected.as_written["C"].copy()
    outputs.view(np.uint8)[-4:] = judge.inputs.poison
    result = judge(C=outputs)
    assert result.status is Status.UNWRITTEN and "the last of 256 elements alone" in result.what


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize(("first", "where"), [(0, "every element"), (7, "the last 249 of 256 elements")])
def test_poison_is_unwritten_where_the_norm_bar_alone_decides(gemm, sandbox, index, first, where):
    """As at bench shapes, where no magnitudes are known. One poison reads as a small number, which no class tells from a value."""
    judge = Judge(gemm, sandbox, {"M": 16, "N": 16, "K": 4}, index=index)
    wide = {key: replace(column, scale=None) for key, column in judge.expected.wide.items()}
    judge.expected = replace(judge.expected, wide=wide)
    outputs = judge.expected.as_written["C"].copy()
    outputs[first:].view(np.uint8)[:] = judge.inputs.poison
    result = judge(C=outputs)
    assert result.status is Status.UNWRITTEN and where in result.what and "never written" in result.what, result
    assert result.result.mismatches == 256 - first


def test_another_calls_poison_is_a_value(build):
    """Integers of minus one are nobody's poison where the other pattern was used: a wrong value is told as one."""
    arg = build.array("c", "n", "out", dtype="int32")
    task = build.task("f", "", (build.size("n"), arg), ({"n": 4},), exact=True)
    inputs = draw(task, Case(sizes={"n": 4}, family=Family.DECLARED), secret=SECRET, index=1)
    expected = Expected(as_written={"c": np.arange(4, dtype=np.int32)}, wide=None)
    got = {"c": np.full(4, -1, np.int32)}
    assert compare_case(task, inputs, expected, got, tolerances={}).status is Status.WRONG_VALUE
    assert compare_case(task, replace(inputs, poison=0xFF), expected, got, tolerances={}).status is Status.UNWRITTEN


@pytest.mark.parametrize("index", [0, 1])
def test_what_the_reference_leaves_a_candidate_must_leave(build, sandbox, index):
    source = "void f(int n, const float* x, float* y) { for (int i = 1; i + 1 < n; ++i) y[i] = x[i - 1] + x[i + 1]; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    judge = Judge(build.task("f", source, args, ({"n": 9},)), sandbox, {"n": 9}, index=index)
    right = judge.expected.as_written["y"].copy()
    assert judge(y=right).status is None
    right[0] = 0.0
    assert judge(y=right).status is not None


def test_changed_inputs_are_seen(gemm, sandbox):
    judge = Judge(gemm, sandbox, {"M": 4, "N": 4, "K": 4})
    changed = judge.inputs.arrays["A"].copy()
    changed[3] = 0
    result = judge(C=judge.expected.as_written["C"], A=changed)
    assert result.status is Status.INPUT_MODIFIED and "A" in result.what


def count_task(build):
    source = "void f(int n, const int* k, int* c) { for (int b = 0; b < 5; ++b) c[b] = 0; for (int i = 0; i < n; ++i) c[k[i] % 5]++; }"
    args = (build.size("n"), build.array("k", "n", "in", dtype="int32"), build.array("c", "5", "out", dtype="int32"))
    return build.task("f", source, args, ({"n": 1000},), exact=True)


def test_integers_are_bitwise(build, sandbox):
    judge = Judge(count_task(build), sandbox, {"n": 1000}, Family.DECLARED)
    right = judge.expected.as_written["c"].copy()
    assert judge(c=right).status is None
    right[2] += 1
    assert judge(c=right).status is Status.WRONG_VALUE


@pytest.mark.parametrize(("off", "words"), [(3, "3 too large"), (-2, "2 too small")])
def test_whole_numbers_are_told_by_their_error_at_a_listed_shape_alone(build, sandbox, off, words):
    judge = Judge(count_task(build), sandbox, {"n": 1000}, Family.DECLARED)
    wrong = judge.expected.as_written["c"].copy()
    wrong[2:] += off
    told = judge(c=wrong).what
    assert f"{words} there" in told and str(wrong[2]) not in told and str(wrong[2] - off) not in told
    judge.inputs = replace(judge.inputs, case=replace(judge.inputs.case, hidden=True))
    assert words not in judge(c=wrong).what
    judge.inputs = replace(judge.inputs, case=replace(judge.inputs.case, hidden=False))
    assert "too" not in judge(c=np.zeros_like(wrong)).what, "what is far off would tell the right value"


def test_unordered_and_valid_length(build, sandbox):
    source = "void f(int n, const int* k, int* c, int* m) { *m = 0; for (int i = 0; i < n; ++i) if (k[i] % 2) c[(*m)++] = k[i]; }"
    kept = replace(build.array("c", "n", "out", dtype="int32"), compare=Compare.UNORDERED, valid_length="m")
    args = (
        build.size("n"),
        build.array("k", "n", "in", dtype="int32"),
        kept,
        build.array("m", "1", "out", dtype="int32"),
    )
    judge = Judge(build.task("f", source, args, ({"n": 60},), exact=True), sandbox, {"n": 60}, Family.DECLARED)
    right, count = judge.expected.as_written["c"].copy(), judge.expected.as_written["m"]
    right[: count[0]] = right[: count[0]][::-1]
    right[count[0] :] = 42
    assert judge(c=right, m=count).status is None
    right[0] += 2
    assert judge(c=right, m=count).status is Status.WRONG_VALUE
    assert judge(c=judge.expected.as_written["c"], m=count + 1).status is Status.WRONG_VALUE
    assert same_bytes({"c": np.array([1, 2]), "m": count}, {"c": np.array([2, 1]), "m": count}, judge.task) is None


def test_where_rounding_decides_both_answers_are_right(build):
    task = count_task(build)
    inputs = draw(task, Case(sizes={"n": 1000}, family=Family.DECLARED), secret=SECRET, index=0)
    written, wide = np.array([10, 20, 30, 40, 50], np.int32), np.array([10, 21, 29, 40, 50], np.int32)
    expected = Expected(as_written={"c": written}, wide={}, wide_exact={("c", ""): wide})
    for answer in (written, wide):
        got = {"c": answer, "k": inputs.arrays["k"]}
        assert compare_case(task, inputs, expected, got, tolerances={}).status is None
    got = {"c": np.array([10, 22, 28, 40, 50], np.int32), "k": inputs.arrays["k"]}
    assert compare_case(task, inputs, expected, got, tolerances={}).status is Status.WRONG_VALUE
    assert is_decided(task, expected)
    undecided = Expected(as_written={"c": written}, wide={}, wide_exact={("c", ""): written + 1})
    assert not is_decided(task, undecided)


def test_what_is_not_defined_is_not_undecided(build, sandbox):
    """Beyond `valid_length` the two runs of the reference hold whatever was there before."""
    source = (
        "void f(int n, const float* x, float* s, int* c, int* m) { *m = 0; for (int i = 0; i < n; ++i) { s[i] = 2 * x[i]; "
        "if (i % 3 == 0) c[(*m)++] = i; } }"
    )
    args = (
        build.size("n"),
        build.array("x", "n", "in"),
        build.array("s", "n", "out"),
        replace(build.array("c", "n", "out", dtype="int32"), valid_length="m"),
        build.array("m", "1", "out", dtype="int32"),
    )
    task = build.task("f", source, args, ({"n": 60},))
    judge = Judge(task, sandbox, {"n": 60}, Family.DECLARED)
    written, key = judge.expected.as_written, ("c", "")
    beyond = written["c"].copy()
    beyond[int(written["m"][0]) :] += 1
    expected = replace(judge.expected, wide_exact={**judge.expected.wide_exact, key: beyond})
    assert is_decided(task, expected)
    assert not is_decided(task, replace(expected, wide_exact={key: beyond + 1}))


def test_ill_posed_cases_are_recognised(saxpy):
    inputs = draw(saxpy, Case(sizes={"n": 4}, family=Family.WIDE), secret=SECRET, index=0)
    wide = {("y", ""): WideColumn(values=np.array([1.0, 2.0, 3.0, 4.0]), scale=None)}
    close = Expected(as_written={"y": np.array([1, 2, 3, 4.0001], np.float32)}, wide=wide)
    far = Expected(as_written={"y": np.array([1, 2, 3, 5], np.float32)}, wide=wide)
    assert is_well_posed(saxpy, inputs, close) and not is_well_posed(saxpy, inputs, far)


@pytest.mark.parametrize("gate", [-95.0, -89.0])
def test_what_overflows_on_the_way_is_right_as_the_reference_has_it(build, sandbox, gate):
    """exp(-gate) is infinite in float and the quotient 0; the wide run has a number, a normal one or not."""
    task = build.task(
        "silu",
        """#include <cmath>
void silu(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::exp(-x[i])); }""",
        (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out")),
        ({"n": 64},),
    )
    judge = Judge(task, sandbox, {"n": 64})
    judge.inputs.arrays["x"][5] = gate
    judge.expected = CompiledReference(task, sandbox).expected([judge.inputs])[0]
    written = judge.expected.as_written["y"]
    assert written[5] == 0 and judge.expected.wide["y", ""].values[5] < -1e-40
    assert judge(y=written).status is None
    assert judge(y=judge.expected.wide["y", ""].values.astype(np.float32)).status is None, (
        "the number itself is right too"
    )
    wrong = written.copy()
    wrong[5] = -1e-30
    assert judge(y=wrong).status is Status.WRONG_VALUE


def test_declared_tolerances_only_widen(build, saxpy):
    wide = replace(saxpy, tolerance=replace(saxpy.tolerance, rtol=1e-2, atol=0.1))
    tolerance = uncalibrated(wide, {"n": 8})["y", ""]
    assert (tolerance.rtol, tolerance.atol) == (1e-2, 0.1) and tolerance.norm == uncalibrated(saxpy, {"n": 8})[
        "y", ""
    ].norm


def test_bars_lie_between_float_and_half(dot, sandbox):
    for n in (64, 4096, 131072):
        tolerance = calibrate(dot, CompiledReference(dot, sandbox), {"n": n}, secret=SECRET)["result", ""]
        assert 1e-6 < tolerance.norm < 1.5e-4, (n, tolerance)
    assert SCALAR_TYPES["float32"].is_float


def test_a_wrong_formula_is_told_with_the_declared_values(saxpy, emulated, candidate):
    """Among subnormal values, where next to nothing is allowed for, the same program has a few right elements, and looks as if digits
    were lost."""
    kernel = """__global__ void k(int n, float a, const float* x, float* y) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = a * x[i];
    }
    extern "C" void saxpy(int n, float a, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, a, x, y); }
    """
    for level in Level:
        verdict = emulated.evaluate(saxpy, candidate(kernel), level=level)
        assert verdict.status is Status.WRONG_VALUE and "(declared values)" in verdict.reason, verdict.reason
        assert "precision" not in verdict.reason + verdict.feedback
