"""Admission of tasks: what trivial candidates would get away with, what the reference does wrong, and that ordinary tasks are admitted."""

from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.emulate.emulator import Emulator
from regrapht.errors import InvalidTask
from regrapht.evaluate.admission.admit import admit, admit_task
from regrapht.evaluate.admission.findings import Rule
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.reference.languages import open_reference
from regrapht.records.element import SCALAR_TYPES, StructType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Init, Tolerance, Work
from regrapht.tasks.infer import infer_task
from regrapht.tasks.load import load_task

pytestmark = pytest.mark.slow  # whole examinations; tests/cli/test_check_task.py has the quick ones
ROOT = Path(__file__).resolve().parents[3]
UNIFORM = Init(kind="uniform", parameters={"low": 0.0, "high": 1.0})
FLOAT = SCALAR_TYPES["float32"]
SIZES = ({"n": 1}, {"n": 33}, {"n": 1000})
SUM = "float f(int n, const float* x) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }"
SCALE = "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = 3 * x[i]; }"
MEAN_OF_SOFTMAX = """#include <cmath>
float f(int n, const float* x) {
    float most = x[0], total = 0.0f, mean = 0.0f;
    for (int i = 1; i < n; ++i) most = x[i] > most ? x[i] : most;
    for (int i = 0; i < n; ++i) total += expf(x[i] - most);
    for (int i = 0; i < n; ++i) mean += expf(x[i] - most) / total;
    return mean / n;
}"""


def rules(admission, severity=None):
    return {f.rule for f in admission.findings if severity is None or f.severity is severity}


def message(admission, rule):
    return next(f.message for f in admission.findings if f.rule is rule)


def refused(admission, rule, *words):
    assert not admission.admitted and rule in {f.rule for f in admission.errors}, admission.findings
    for word in words:
        assert word in message(admission, rule), admission.findings


@pytest.fixture
def vector(build):
    """A task of `void f(int n, const float* x, float* y)`, or of another signature with `args`."""

    def make(source, *, sizes=SIZES, length="1", args=None, **more):
        args = args or (build.array("x", "n", "in"), build.array("y", "n", "out"))
        work = more.pop("work", "8 * n")
        return replace(
            build.task("f", source, (build.size("n"), *args), sizes, length=length, **more),
            work=Work(bytes=Expression(work)),
        )

    return make


def lenient(task, **bounds):
    return replace(task, tolerance=replace(task.tolerance, **bounds))


def test_a_mean_of_a_softmax_is_refused(build, vector, sandbox):
    task = vector(MEAN_OF_SOFTMAX, args=(build.array("x", "n", "in"),), length="n", returns=FLOAT)
    admission = admit_task(task, sandbox)
    refused(admission, Rule.FIXED_OUTPUT, "result", "constant")
    assert Rule.IGNORED_INPUT not in rules(admission), "one cause, one finding"


def test_a_wide_tolerance_lets_the_mean_of_a_long_sum_through(build, vector, sandbox):
    """The mean of a sum of n uniform numbers is off by about 0.6 / sqrt(n): under any fixed tolerance where n is large."""
    args = (build.array("x", "n", "in", init=UNIFORM),)
    strict = vector(SUM, args=args, sizes=({"n": 100_000},), length="n", returns=FLOAT, work="4 * n")
    assert admit_task(strict, sandbox).admitted
    refused(admit_task(lenient(strict, rtol=0.02), sandbox), Rule.FIXED_OUTPUT, "rtol")


def test_zeros_pass_where_the_absolute_tolerance_is_wider_than_the_values(vector, sandbox):
    task = lenient(vector(SCALE.replace("3 *", "1e-3f *")), atol=0.1)
    assert not admit_task(task, sandbox).admitted
    assert admit_task(vector(SCALE.replace("3 *", "1e-3f *")), sandbox).admitted


def test_a_copy_of_an_input_is_trivial(build, vector, sandbox):
    nearly = vector(SCALE.replace("3 *", "1.00001f *"))
    refused(admit_task(lenient(nearly, rtol=1e-3), sandbox), Rule.TRIVIAL_OUTPUT, "a copy of x")
    args = (build.array("k", "n", "in", dtype="int32"), build.array("y", "n", "out"))
    cast = "void f(int n, const int* k, float* y) { for (int i = 0; i < n; ++i) y[i] = k[i]; }"
    refused(admit_task(vector(cast, args=args), sandbox), Rule.TRIVIAL_OUTPUT, "a copy of k")


def test_a_task_whose_answer_is_a_copy_says_so(vector, sandbox):
    moved = vector(SCALE.replace("3 *", "1 *"))
    refused(admit_task(moved, sandbox), Rule.TRIVIAL_OUTPUT, "a copy of x")
    assert admit_task(replace(moved, copies=True), sandbox).admitted
    assert replace(moved, copies=True).content_hash == moved.content_hash, "no verdict depends on it"
    loose = lenient(vector(SCALE.replace("3 *", "1e-3f *")), atol=0.1)
    assert not admit_task(replace(loose, copies=True), sandbox).admitted, "other ways around the work stay shut"


def test_an_output_left_as_it_was_is_trivial(build, vector, sandbox):
    sort = """#include <algorithm>
void f(int n, int* k) { std::sort(k, k + n); }"""
    keys = build.array("k", "n", "inout", dtype="int32")
    assert admit_task(vector(sort, args=(keys,), exact=True), sandbox).admitted
    any_order = replace(keys, compare=Compare.UNORDERED)
    refused(admit_task(vector(sort, args=(any_order,), exact=True), sandbox), Rule.TRIVIAL_OUTPUT, "left as it was")


def test_two_outputs_may_be_trivial_together_only(build, vector, sandbox):
    source = (
        "void f(int n, const float* x, float* y, int* flag) { *flag = 1; for (int i = 0; i < n; ++i) y[i] = 3 * x[i]; }"
    )
    args = (build.array("x", "n", "in"), build.array("y", "n", "out"), build.array("flag", "1", "out", dtype="int32"))
    admission = admit_task(vector(source, args=args), sandbox)
    assert admission.admitted and "flag" in message(admission, Rule.TRIVIAL_OUTPUT)
    both = vector(source.replace("3 * x[i]", "x[i]"), args=args)
    refused(admit_task(both, sandbox), Rule.TRIVIAL_OUTPUT, "y may be a copy of x", "flag may be")


def test_a_cheat_that_only_values_of_the_judges_own_refuse_is_a_warning(build, vector, sandbox):
    """The sine of a small number is the number; the signed family has larger numbers, but bench shapes have the declared ones."""
    narrow = Init(kind="uniform", parameters={"low": -0.01, "high": 0.01})
    x = replace(build.array("x", "n", "in", init=narrow), domain=(-100.0, 100.0))
    source = "#include <cmath>\n" + SCALE.replace("3 * x[i]", "sinf(x[i])")
    task = vector(source, args=(x, build.array("y", "n", "out")))
    admission = admit_task(lenient(task, rtol=1e-3), sandbox)
    assert admission.admitted and "y may be a copy of x; values of the judge's own" in message(
        admission, Rule.TRIVIAL_OUTPUT
    )
    inside = vector(source, args=(replace(x, domain=(-0.01, 0.01)), build.array("y", "n", "out")))
    refused(admit_task(lenient(inside, rtol=1e-3), sandbox), Rule.TRIVIAL_OUTPUT, "a copy of x")


def test_an_input_without_effect_is_named(build, vector, sandbox):
    source = "void f(int n, const float* x, const float* z, float* y) { for (int i = 0; i < n; ++i) y[i] = 3 * x[i] + 0 * z[i]; }"
    args = (build.array("x", "n", "in"), build.array("z", "n", "in"), build.array("y", "n", "out"))
    admission = admit_task(vector(source, args=args), sandbox)
    refused(admission, Rule.IGNORED_INPUT, "z can be drawn anew")
    assert len(admission.findings) == 1


def test_a_drawn_scalar_must_matter(build, vector, sandbox):
    source = "void f(int n, float a, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = 3 * x[i]; }"
    scalar = Arg(name="a", kind=ArgKind.SCALAR, dtype=FLOAT, init=UNIFORM)
    args = (scalar, build.array("x", "n", "in"), build.array("y", "n", "out"))
    refused(admit_task(vector(source, args=args), sandbox), Rule.IGNORED_INPUT, "a can be drawn")
    assert admit_task(vector(source.replace("3 *", "a *"), args=args), sandbox).admitted
    fixed = replace(scalar, init=None, value=2.0)
    assert admit_task(vector(source, args=(fixed, *args[1:])), sandbox).admitted, "a fixed scalar is part of the task"


def test_constant_inits_vary_with_nothing(build, vector, sandbox):
    ones = build.array("x", "n", "in", init=Init(kind="ones"))
    refused(admit_task(vector(SCALE, args=(ones, build.array("y", "n", "out"))), sandbox), Rule.NOTHING_DRAWN, "init")


def test_one_constant_input_among_drawn_ones_is_a_warning(build, vector, sandbox):
    source = "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] += 3 * x[i]; }"
    start = build.array("y", "n", "inout", init=Init(kind="zeros"))
    admission = admit_task(vector(source, args=(build.array("x", "n", "in"), start)), sandbox)
    assert admission.admitted and "y is the same in every draw (init zeros)" in message(admission, Rule.UNDRAWN_INPUT)


def test_a_constant_axis_is_a_warning(build, vector, sandbox):
    source = """void f(int n, const float* x, float* y) {
    for (int i = 0; i < n; ++i) for (int j = 0; j < 4; ++j) y[4 * i + j] = 3 * x[i]; }"""
    args = (build.array("x", "n", "in"), build.array("y", "n,4", "out"))
    admission = admit_task(vector(source, args=args, work="20 * n"), sandbox)
    assert admission.admitted and rules(admission) == {Rule.CONSTANT_AXIS}
    assert "dimension 1 (4)" in message(admission, Rule.CONSTANT_AXIS)


def test_results_of_length_one_are_fine(build, vector, sandbox):
    task = vector(SUM, args=(build.array("x", "n", "in"),), length="n", returns=FLOAT)
    assert admit_task(task, sandbox).findings == ()


def test_structs_and_valid_length(build, vector, sandbox):
    point = StructType(c_name="P", fields=(("x", SCALAR_TYPES["int64"]), ("id", SCALAR_TYPES["int32"])))
    source = """struct P { long x; int id; };
void f(int n, const P* p, P* q, int* m) {
    *m = 0;
    for (int i = 0; i < n; ++i) if (p[i].x % 2) { q[*m].id = p[i].id + 1; q[*m].x = 2 * p[i].x; ++*m; } }"""
    args = (
        replace(build.array("p", "n", "in"), dtype=point),
        replace(build.array("q", "n", "out"), dtype=point, valid_length="m"),
        build.array("m", "1", "out", dtype="int32"),
    )
    assert admit_task(vector(source, args=args, work="16 * n + 4", exact=True), sandbox).admitted
    unsaid = (args[0], replace(args[1], valid_length=None), args[2])
    refused(admit_task(vector(source, args=unsaid, exact=True), sandbox), Rule.UNWRITTEN_OUTPUT, "valid_length")


FAULTS = {
    "unwritten end": (
        SCALE.replace("i < n", "i < n - 1"),
        Rule.UNWRITTEN_OUTPUT,
        ("3 of 1034 elements of y", "inout"),
    ),
    "reads what it should write": (SCALE.replace("y[i] =", "y[i] +="), Rule.READS_OUTPUT, ("y held before", "inout")),
    "a static counter": (
        SCALE.replace("{ for", "{ static int calls = 0; ++calls; for").replace("3 *", "calls *"),
        Rule.NONDETERMINISTIC,
        ("differ in y",),
    ),
    "the clock": (
        "#include <chrono>\n"
        + SCALE.replace("3 *", "float(std::chrono::steady_clock::now().time_since_epoch().count() % 1000) *"),
        Rule.NONDETERMINISTIC,
        ("clock",),
    ),
    "shift too far": (
        SCALE.replace("3 * x[i]", "x[i] + (1 << (n % 64))"),
        Rule.UNDEFINED_BEHAVIOUR,
        ("reference.cpp:1", "shift exponent", "n=1000"),
    ),
    "read past the end": (
        SCALE.replace("3 * x[i]", "x[i] + 1e-30f * x[i + 1]"),
        None,
        ("crashed",),
    ),
    "local array": (
        SCALE.replace("{ for", "{ float t[8]; for (int i = 0; i < 8; ++i) t[i] = i; for").replace(
            "3 * x[i]", "x[i] + t[i % 9]"
        ),
        Rule.UNDEFINED_BEHAVIOUR,
        ("index 8 out of bounds",),
    ),
    "heap": (
        "#include <vector>\n"
        + SCALE.replace("{ for", "{ std::vector<float> t(n, 1.0f); const float* p = t.data(); for").replace(
            "3 * x[i]", "x[i] * p[i + n / 33]"
        ),
        Rule.UNDEFINED_BEHAVIOUR,
        ("heap-buffer-overflow",),
    ),
    "float to integer": (
        SCALE.replace("3 * x[i]", "x[i] + (int)(1e12f * x[i]) * 1e-9f"),
        Rule.UNDEFINED_BEHAVIOUR,
        ("outside the range",),
    ),
    "unset variable": (
        SCALE.replace("{ for", "{ float t; if (n > 100000) t = 1; for").replace("3 * x[i]", "x[i] + t"),
        Rule.UNSTABLE_REFERENCE,
        ("never set",),
    ),
    "unset memory": (
        "#include <cstdlib>\n"
        + SCALE.replace("{ for", "{ float* t = (float*)malloc(4 * n); for").replace(
            "3 * x[i];", "x[i] + t[i]; free(t);"
        ),
        Rule.UNSTABLE_REFERENCE,
        ("never set",),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_a_reference_are_named(vector, sandbox, fault):
    source, rule, words = FAULTS[fault]
    if rule is None:  # not even the judge can run it: there is nothing to examine
        with pytest.raises(InvalidTask, match=words[0]):
            admit_task(vector(source), sandbox)
        return
    refused(admit_task(vector(source), sandbox), rule, *words)


def test_arrays_that_a_condition_chooses_are_no_fault(vector, sandbox):
    """GCC gives such a program other outputs where it checks shifts."""
    source = """struct Pair { float even[64], odd[64]; };
static void put(Pair& pair, int k, float value) { (k % 2 == 0 ? pair.even : pair.odd)[k / 2] = value; }
void f(int n, const float* x, float* y) {
    Pair pair = {};
    for (int i = 0; i < n; ++i) put(pair, i % 128, x[i]);
    for (int i = 0; i < n; ++i) y[i] = x[i] * pair.even[i % 64] + pair.odd[i % 64];
}"""
    admission = admit_task(vector(source, length="n"), sandbox)
    assert admission.admitted, admission.findings


def test_an_access_before_an_array(vector, sandbox):
    """The judge's own runs guard the ends of arrays; the examination guards the beginnings too."""
    admission = admit_task(vector(SCALE.replace("3 * x[i]", "x[i] + 1e-30f * x[i - 1]")), sandbox)
    refused(admission, Rule.UNDEFINED_BEHAVIOUR, "reference.cpp:1", "outside an array")


def test_an_input_that_is_written(build, vector, sandbox):
    source = "void f(int n, float* x, float* y) { for (int i = 0; i < n; ++i) { y[i] = 3 * x[i]; x[i] = 0; } }"
    refused(admit_task(vector(source), sandbox), Rule.CHANGED_INPUT, "x", "inout")


def test_signed_overflow_is_a_warning(build, vector, sandbox):
    source = (
        "void f(int n, const int* k, int* y) { for (int i = 0; i < n; ++i) y[i] = (k[i] + 7) * 1000000007 + 12345; }"
    )
    args = (build.array("k", "n", "in", dtype="int32"), build.array("y", "n", "out", dtype="int32"))
    admission = admit_task(vector(source, args=args, exact=True), sandbox)
    assert admission.admitted and "signed integer overflow" in message(admission, Rule.RISKY_ARITHMETIC)


def test_a_draw_that_the_reference_cannot_take(build, vector, sandbox):
    """One draw in three crashes: it may or may not be the judge's first."""
    source = "void f(int n, const int* k, int* y) { for (int i = 0; i < n; ++i) { if (k[i] == 5) __builtin_trap(); y[i] = 3 * k[i]; } }"
    k = build.array("k", "n", "in", dtype="int32", init=Init(kind="integers", parameters={"low": 0, "high": 40}))
    task = vector(source, args=(k, build.array("y", "n", "out", dtype="int32")), sizes=({"n": 4},), exact=True)
    for secret in range(100):
        try:
            admission = admit(Oracle(task, open_reference(task, sandbox, emulator=Emulator(sandbox)), secret=secret))
        except InvalidTask:
            continue  # its own cases crashed already
        if not admission.admitted:
            refused(admission, Rule.REFERENCE_FAILS, "crashed with SIG", "init")
            return
    raise AssertionError("in 100 secrets, no draw crashed")


def test_infinite_outputs_are_a_warning(build, vector, sandbox):
    source = "#include <cmath>\n" + SCALE.replace("3 * x[i]", "logf(x[i] < 0 ? 0.0f : x[i])")
    assert "infinite or NaN" in message(admit_task(vector(source), sandbox), Rule.NOT_FINITE)


def test_bench_shapes(build, vector, sandbox):
    # So narrow that two sums of four million differ by a sixth of the bar; a wider draw would pass or not by chance.
    x = build.array("x", "n", "in", init=Init(kind="uniform", parameters={"low": 0.95, "high": 1.05}))
    large = vector(SUM, args=(x,), length="n", returns=FLOAT, work="4 * n", bench_sizes=({"n": 2**22},))
    admission = admit_task(large, sandbox)
    assert admission.admitted and rules(admission) == {Rule.TRIVIAL_AT_BENCH}, admission.findings
    assert "n=4194304" in message(admission, Rule.TRIVIAL_AT_BENCH)
    small = vector(SCALE, bench_sizes=({"n": 500},), work="3 * n")
    assert rules(admit_task(small, sandbox)) == {Rule.TOO_SMALL, Rule.WORK_BYTES}
    generous = admit_task(vector(SCALE, bench_sizes=({"n": 500},), work="9 * n"), sandbox)
    assert generous.admitted and "IMPOSSIBLE" in message(generous, Rule.WORK_BYTES)
    huge = admit_task(vector(SCALE, bench_sizes=({"n": 2**28},)), sandbox)
    assert huge.admitted and "over 1 GiB" in huge.unchecked[0]


def test_without_a_sandbox_only_outputs_are_looked_at(vector, sandbox):
    task = vector(FAULTS["shift too far"][0])
    admission = admit(Oracle(task, open_reference(task, sandbox, emulator=Emulator(sandbox))))
    assert admission.admitted and "sanitizers" in admission.unchecked[0]


def test_a_slow_reference_is_left_alone_where_time_is_short(vector, sandbox):
    task = vector("#include <unistd.h>\n" + SCALE.replace("{ for", "{ usleep(1200000); for"), sizes=({"n": 5},))
    admission = admit(Oracle(task, open_reference(task, sandbox, emulator=Emulator(sandbox))))
    assert any("takes over 2 s" in why for why in admission.unchecked)


def test_c_cuda_and_python_references(build, vector, emulated, sandbox):
    assert admit_task(vector(SCALE, file="reference.c"), sandbox).findings == ()
    cuda = """__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = 3 * x[i]; }
extern "C" void f(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }"""
    assert admit_task(vector(cuda, file="reference.cu"), sandbox).findings == ()
    outside = vector(cuda.replace("3 * x[i]", "3 * x[i] + 0 * x[i + 1]"), file="reference.cu")
    refused(admit_task(outside, sandbox), Rule.UNDEFINED_BEHAVIOUR, "line 1")
    python = admit_task(vector("def reference(n, x):\n    return {'y': 3 * x}\n", file="reference.py"), sandbox)
    assert python.admitted and "Python" in python.unchecked[0]
    random = (
        "import numpy as np\ndef reference(n, x):\n    return {'y': x + np.random.default_rng().normal(size=x.size)}\n"
    )
    refused(admit_task(vector(random, file="reference.py"), sandbox), Rule.NONDETERMINISTIC, "y")


EXAMPLES = ("histogram", "matrix_product", "heat_step", "image_blur", "option_pricing", "sum_of_squares")
CORPUS = ("graph/bfs_pull", "sort_search/sort_keys", "reduction/max_abs")


@pytest.mark.parametrize("path", [*(f"examples/{e}" for e in EXAMPLES), *(f"trajectories/written/{c}" for c in CORPUS)])
def test_shipped_tasks_are_admitted(path, sandbox):
    """At their check shapes; `regrapht check` looks at their bench shapes too, which takes up to a minute."""
    task = replace(load_task(ROOT / path), bench_sizes=())
    assert admit_task(task, sandbox).findings == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", sorted((ROOT / "trajectories" / "written").glob("*/*/task.toml")), ids=lambda path: path.parent.name
)
def test_the_whole_corpus_is_admitted(path, sandbox):
    findings = admit_task(replace(load_task(path.parent), bench_sizes=()), sandbox).findings
    # A guard that no draw can reach, such as that against a norm of zero, is a warning to read and no fault of the task.
    assert [finding for finding in findings if finding.rule is not Rule.UNTAKEN_BRANCH] == []


def test_an_inferred_task_is_admitted(sandbox):
    task = replace(infer_task(ROOT / "examples" / "nbody_forces.cpp").task, bench_sizes=())
    assert admit_task(task, sandbox).findings == ()


def test_the_tolerance_class_of_a_whole_task_counts(build, vector, sandbox):
    """Floats that are compared bit by bit leave no room for a near copy."""
    task = vector(SCALE.replace("3 *", "1.00001f *"))
    exact = replace(task, tolerance=Tolerance(kind=Compare.EXACT, reduction_length=Expression("1")))
    assert admit_task(exact, sandbox).admitted
