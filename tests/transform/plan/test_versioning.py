"""Loops that are parallel under a condition on the parameters: which condition, and right results on both sides of it."""

import os
import random
import re

import islpy
import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.task import Contract
from regrapht.report.transform import describe_rules
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.explanation import explain, run_time_test
from regrapht.transform.plan.nest import Kind
from regrapht.transform.rules.decisions import decisions_from_json

from ..judging import steps
from ..native.native_bench import Pair, native_differences, warnings
from ..native_random import require_right
from ..random_programs import random_decisions

SEED = "REGRAPHT_RUN_TIME_CONDITIONS"
CHAINS = 1
GEMM_HEAD = """// shape: a = m*lda + k
// shape: b = k*ldb + n
// shape: c = m*ldc + n
// check: m=5,n=7,k=3,lda=4,ldb=9,ldc=8; m=33,n=20,k=17,lda=17,ldb=20,ldc=20; m=6,n=7,k=3,lda=4,ldb=9,ldc=3
// check: m=6,n=7,k=5,lda=2,ldb=9,ldc=9; m=4,n=9,k=5,lda=6,ldb=1,ldc=1; m=3,n=1,k=0,lda=0,ldb=0,ldc=0; m=1,n=5,k=2,lda=1,ldb=7,ldc=2
"""
GEMM = (
    GEMM_HEAD
    + """void f(int m, int n, int k, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            float s = 0;
            for (int p = 0; p < k; ++p) s += a[i * lda + p] * b[p * ldb + j];
            c[i * ldc + j] = s;
        }
}"""
)
HALVES = """// shape: x = n + half
// check: n=1,half=0; n=40,half=40; n=40,half=39; n=300,half=0; n=9,half=1; n=300,half=700; n=0,half=3
void f(int n, int half, float* x) {
    for (int i = 0; i < n; ++i) x[i] = x[i] + 0.5f * x[i + half];
}"""
IMAGE = "// check: w=5,h=4,sp=7,dp=6; w=40,h=9,sp=40,dp=40; w=9,h=7,sp=2,dp=4; w=9,h=7,sp=0,dp=9; w=3,h=5,sp=3,dp=0\n"
CASES = {
    "a matrix product with leading dimensions": (GEMM, "ldc >= n and lda >= k and ldb >= n"),
    "a product that adds into c, loops in another order": (
        GEMM_HEAD
        + """void f(int m, int n, int k, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) c[(long)i * ldc + j] *= 0.5f;
    for (int i = 0; i < m; ++i)
        for (int p = 0; p < k; ++p)
            for (int j = 0; j < n; ++j) c[(long)i * ldc + j] += a[(long)i * lda + p] * b[(long)p * ldb + j];
}""",
        "ldc >= n and lda >= k and ldb >= n",
    ),
    "rows of an image by pointers": (
        f"""// shape: s = h*sp + w
// shape: d = h*dp + w
{IMAGE}void f(int w, int h, const unsigned char* s, int sp, unsigned char* d, int dp) {{
    for (int y = 0; y < h; ++y) {{
        const unsigned char* from = s + y * sp;
        unsigned char* to = d + y * dp;
        for (int x = 0; x < w; ++x) to[x] = from[x] / 2 + y;
    }}
}}""",
        "dp >= w",
    ),
    "rows of an image by walking pointers": (
        f"""// shape: s = h*sp + w
// shape: d = h*dp + w
{IMAGE}void f(int w, int h, const float* s, int sp, float* d, int dp) {{
    for (int y = 0; y < h; ++y) {{
        for (int x = 0; x < w; ++x) d[x] = s[x] + y;
        s += sp;
        d += dp;
    }}
}}""",
        "dp >= w",
    ),
    "a stencil on rows with a pitch": (
        f"""// shape: s = h*sp + w
// shape: d = h*dp + w
{IMAGE}void f(int w, int h, const float* s, int sp, float* d, int dp) {{
    for (int y = 1; y < h - 1; ++y)
        for (int x = 1; x < w - 1; ++x)
            d[y * dp + x] = s[y * sp + x - 1] + s[y * sp + x + 1] + s[(y - 1) * sp + x] - s[(y + 1) * sp + x];
}}""",
        "dp >= w - 1 and sp >= w",
    ),
    "a vector with a stride": (
        """// shape: x = n*incx + 1
// shape: y = n*incy + 1
// check: n=1,incx=1,incy=1; n=300,incx=2,incy=1; n=20,incx=0,incy=3; n=30,incx=1,incy=0; n=0,incx=0,incy=0
void f(int n, const float* x, int incx, float* y, int incy) {
    int ix = 0, iy = 0;
    for (int i = 0; i < n; ++i) {
        y[iy] += 2.0f * x[ix];
        ix += incx;
        iy += incy;
    }
}""",
        "incy >= 1",
    ),
    "an offset between two halves": (HALVES, "half = 0 or half >= n"),
    "both halves changed": (
        """// shape: x = n + half
// check: n=1,half=1; n=40,half=40; n=40,half=39; n=300,half=0; n=9,half=1; n=300,half=700
void f(int n, int half, double* x) {
    for (int i = 0; i < n; ++i) {
        double a = x[i], b = x[i + half];
        x[i] = a + b;
        x[i + half] = a - b;
    }
}""",
        "half = 0 or half >= n",
    ),
    "unsigned sizes": (
        """// shape: x = n + k
// check: n=1,k=0; n=40,k=40; n=40,k=7; n=300,k=0; n=9,k=1; n=300,k=700
void f(unsigned n, unsigned k, int* x) {
    for (unsigned i = 0; i < n; ++i) x[i] = x[i + k] * 2 + 1;
}""",
        "k = 0 or k >= n",
    ),
    "a decomposition in place, in the launcher's loop": (
        """// shape: a = n*lda + n
// check: n=1,lda=1; n=9,lda=9; n=20,lda=23; n=5,lda=4; n=4,lda=0; n=3,lda=1
void f(int n, int* a, int lda) {
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i) {
            a[i * lda + k] ^= a[k * lda + k];
            for (int j = k + 1; j < n; ++j) a[i * lda + j] -= a[i * lda + k] & a[k * lda + j];
        }
}""",
        "lda >= n",
    ),
    "three dimensions": (
        """// shape: v = d*rows*pitch + h*pitch + w
// check: d=2,h=3,w=4,rows=3,pitch=5; d=4,h=5,w=6,rows=4,pitch=6; d=3,h=2,w=7,rows=2,pitch=3; d=2,h=17,w=19,rows=17,pitch=19
void f(int d, int h, int w, int* v, int pitch, int rows) {
    for (int z = 0; z < d; ++z)
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) v[(z * rows + y) * pitch + x] = 3 * v[(z * rows + y) * pitch + x] + z + x;
}""",
        "rows >= h and pitch >= w",
    ),
    "a stride that the function computes": (
        """// shape: v = h*(w + pad) + 2*w
// check: h=4,w=5,pad=0; h=9,w=33,pad=3; h=1,w=1,pad=1; h=7,w=2,pad=1
void f(int h, int w, int pad, int skip, int* v) {
    const int row = w + pad - 1;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) v[y * row + x] = 3 * v[y * row + x] + x;
}""".replace("int skip, ", ""),
        "pad >= 1",
    ),
    "parts of a plane": (
        """// shape: v = b*h*w + count
// check: b=3,h=2,w=4,count=8; b=9,h=3,w=5,count=11; b=4,h=2,w=2,count=9; b=3,h=0,w=5,count=4
void f(int b, int h, int w, int count, int* v) {
    const int plane = h * w;
    for (int i = 0; i < b; ++i)
        for (int p = 0; p < count; ++p) v[i * plane + p] = 3 * v[i * plane + p] + i;
}""",
        "h__w >= count",
    ),
    "rows that data choose a part of": (
        """// shape: ptr = rows + 1
// shape: col = 30
// shape: val = 30
// shape: x = 10*n
// shape: y = rows*ldy + n
// init: ptr = ints(0, 30)
// init: col = ints(0, 10)
// check: rows=3,n=5,ldy=6; rows=40,n=3,ldy=3; rows=9,n=7,ldy=2; rows=5,n=4,ldy=0
void f(int rows, int n, const int* ptr, const int* col, const float* val, const float* x, float* y, int ldy) {
    for (int i = 0; i < rows; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            for (int j = 0; j < n; ++j) y[i * ldy + j] += val[p] * x[col[p] * n + j];
}""",
        "ldy >= n",
    ),
    "rows that are normalised": (
        f"""// shape: s = h*sp + w
// shape: d = h*dp + w
{IMAGE}void f(int w, int h, const float* s, int sp, float* d, int dp) {{
    for (int y = 0; y < h; ++y) {{
        float most = 0, sum = 0;
        for (int x = 0; x < w; ++x) most = s[y * sp + x] > most ? s[y * sp + x] : most;
        for (int x = 0; x < w; ++x) {{
            float e = s[y * sp + x] / (1 + most);
            d[y * dp + x] = e;
            sum += e * e;
        }}
        for (int x = 0; x < w; ++x) d[y * dp + x] /= 1 + sum;
    }}
}}""",
        "dp >= w",
    ),
    "integers that would be added up by atomics": (
        GEMM_HEAD
        + """void f(int m, int n, int k, const int* a, int lda, const int* b, int ldb, int* c, int ldc) {
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            for (int p = 0; p < k; ++p) c[i * ldc + j] += a[i * lda + p] * b[p * ldb + j];
}""",
        "ldc >= n and lda >= k and ldb >= n",
    ),
    "a stride that is a quotient": (
        """// shape: v = h*w + w
// check: h=4,w=6; h=9,w=33; h=1,w=1; h=7,w=2
void f(int h, int w, int* v) {
    const int row = w / 2 * 2;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) v[y * row + x] = 3 * v[y * row + x] + x;
}""",
        "row >= w",
    ),
}


def case(make_task, name: str):
    return make_task(CASES[name][0], "f")


def as_set(text: str, names: set[str]) -> islpy.Set:
    return islpy.Set(f"[{', '.join(sorted(names))}] -> {{ : {text} }}")


def condition(analysis) -> str:
    return " and ".join(f"({text})" for text in analysis.guard.texts)


@pytest.mark.parametrize("name", CASES)
def test_the_condition_is_the_one_that_a_person_would_name(name, make_task):
    analysis, wanted = analyse(case(make_task, name)), CASES[name][1]
    assert analysis.guard is not None
    names = set(re.findall(r"[a-z]\w*", f"{wanted} {condition(analysis)}")) - {"and", "or"}
    sizes = " and ".join(f"{size} >= 1" for size in names)
    found, meant = (as_set(f"({text}) and {sizes}", names) for text in (condition(analysis), wanted))
    assert found == meant, condition(analysis)
    assert all(nest.kind is not Kind.SERIAL for nest in analysis.nests)


@pytest.mark.parametrize("chains", [CHAINS, pytest.param(12, marks=pytest.mark.slow)])
def test_results_are_right_on_both_sides_of_the_condition(chains, make_task):
    try:
        sandbox = choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")
    seed = int(os.environ.get(SEED, random.randrange(2**32)))
    print(f"seed {seed} ({SEED})")
    chance, engine, pairs = random.Random(seed), Engine(), []
    for name in CASES:
        task = case(make_task, name)
        pairs.append(Pair(task, engine.text(task, steps(engine, task, []))))
        pairs += [Pair(task, engine.text(task, random_decisions(engine, task, chance))) for _ in range(chains)]
    assert all("} else {" in pair.source for pair in pairs)
    faults = native_differences(pairs, sandbox)
    assert not faults, next(f"{said[:2]}\n{pairs[number].source}" for number, said in faults.items())
    said = warnings([pair.source for pair in pairs[:: chains + 1]], sandbox)
    assert not said, said


PLACES = (
    "i * ld + j",
    "i + j * ld",
    "i * ld + j + off",
    "(i + off) * ld + j",
    "i * ld + off",
    "i * ld + 2 * j + 1",
    "i * inc",
    "i + off",
    "j + i",
    "j * inc",
    "(i * off + j) * ld",
    "(i * off + j) * ld + 1",
)


def drawn(chance: random.Random):
    """One or two nests whose places depend on strides and offsets, at sizes on either side of any condition."""

    def nest() -> str:
        write, *reads = chance.choices(PLACES, k=3)
        array, other = chance.choice(["xy", "yx", "xx"])
        deep = chance.random() < 0.8
        head = "for (int i = 0; i < m; ++i)" + (" for (int j = 0; j < n; ++j)" if deep else "")
        statement = (
            f"{array}[{write}] = 3 * {array}[{write}] + {other}[{reads[0]}] - 5 * {chance.choice('xy')}[{reads[1]}];"
        )
        return f"    {head} {statement if deep else statement.replace('j', 'm')}\n"

    names = ("m", "n", "ld", "off", "inc")
    sizes = [dict(zip(names, (chance.choice((1, 2, 3, 5, 7, 8)) for _ in names), strict=True)) for _ in range(12)]
    sizes += [one | {"off": 0, "ld": one["n"]} for one in sizes[:3]] + [one | {"ld": 0} for one in sizes[3:5]]
    checks = "; ".join(", ".join(f"{name}={value}" for name, value in one.items()) for one in sizes)
    body = "".join(nest() for _ in range(chance.choice((1, 1, 2))))
    head = f"// shape: x = 4096\n// shape: y = 4096\n// check: {checks}\n"
    return f"{head}void f(int m, int n, int ld, int off, int inc, unsigned* x, unsigned* y) {{\n{body}}}\n"


def test_random_places_are_right_on_both_sides(make_task):
    guarded = []

    def draw(chance: random.Random):
        task = make_task(drawn(chance), "f")
        guarded.append(analyse(task).guard is not None)
        return task

    # Two versions of each program take their time to compile.
    require_right(draw, seed_from=SEED, is_parallel=lambda nests: any(nest.parallel for nest in nests), programs=8)
    assert any(guarded)


@pytest.mark.parametrize("name", ["an offset between two halves", "a stride that the function computes"])
def test_the_condition_is_what_keeps_the_results_right(name, make_task):
    """Without it, or with it turned round, threads meet: the sizes above would show it."""
    try:
        sandbox = choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")
    task = case(make_task, name)
    source = TransformProposer().plain(task).source
    always = re.sub(
        r"(// Threads have no order.*?\n(?: *//.*?\n)*) *if \(.*?\) \{", r"\1 if (true) {", source, flags=re.S
    )
    assert always != source
    assert native_differences([Pair(task, source), Pair(task, always)], sandbox).keys() == {1}


def test_a_library_multiplies_where_the_condition_holds(make_task):
    try:
        sandbox = choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")
    task, engine = make_task(GEMM, "f", contract=Contract(allow_libraries=("cublas",))), Engine()
    source = engine.text(task, steps(engine, task, ["library_call"]))
    assert "&alpha, b, ldb, a, lda, &beta, c, ldc)" in source and "_serial<<<" in source
    assert native_differences([Pair(task, source)], sandbox) == {}


@pytest.mark.parametrize("text", [GEMM, HALVES], ids=["product", "halves"])
def test_the_emulator_agrees(text, make_task, bench):
    task = make_task(text, "f")
    assert bench.differences(task, TransformProposer().plain(task).source) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_emulator_agrees_under_other_decisions(name, make_task, bench):
    seed = int(os.environ.get(SEED, random.randrange(2**32)))
    print(f"seed {seed} ({SEED})")
    chance, engine, task = random.Random(f"{seed}{name}"), Engine(), case(make_task, name)
    for _ in range(3):
        source = engine.text(task, random_decisions(engine, task, chance))
        assert bench.differences(task, source) == [], source


def test_what_the_task_requires_is_not_tested(make_task):
    some = analyse(make_task("// require: ldb >= n\n" + GEMM, "f"))
    assert {array for one in some.guard.conditions for array in one.arrays} == {"a", "c"}
    every = make_task("// require: ldc >= n\n" + GEMM, "f")
    assert analyse(every).guard is None and analyse(every).nests[0].parallel == ["i", "j"]
    assert "else {" not in TransformProposer().plain(every).source
    halves = analyse(make_task("// require: half >= n\n" + HALVES, "f"))
    assert halves.guard is None and halves.nests[0].parallel == ["i"]


def test_arrays_that_are_read_once_or_never_by_two_threads_are_not_asked_for(make_task):
    guard = analyse(case(make_task, "rows of an image by pointers")).guard
    assert [one.arrays for one in guard.conditions] == [("d",)]
    guard = analyse(make_task(GEMM, "f")).guard
    assert [one.read_only for one in guard.conditions] == [False, True, True]


NONE = {
    "a recurrence": "for (int i = 1; i < n; i++) x[i] = x[i] + x[i - 1];",
    "places that data choose": "for (int i = 0; i < n; i++) x[k[i]] = i;",
    "threads without any condition": "for (int i = 0; i < n; i++) x[i] = x[i] * m;",
    "only where a loop makes one turn": "for (int i = 0; i < n; i++) x[0] = x[0] * 0.5f + i;",
    "a loop around threads": "for (int i = 0; i < n / m - 1; i++) for (int j = 0; j < m; j++) x[i * m + j] += x[(i + 1) * m + j];",
    "a row that turns share": "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[j] = x[j] * 0.5f + i;",
}


@pytest.mark.parametrize("name", NONE)
def test_no_condition_where_none_helps(name, make_task):
    head = "// shape: x = n + m\n// shape: k = n\n// init: k = ints(0, n)\n// check: n=1,m=1; n=70,m=9; n=9,m=70\n"
    task = make_task(f"{head}void f(int n, int m, const int* k, float* x) {{ {NONE[name]} }}", "f")
    assert analyse(task).guard is None


def test_no_condition_that_fails_at_every_size_that_the_task_is_timed_at(make_task):
    sizes = {"n": 1000, "half": 10}
    assert analyse(make_task(HALVES, "f", bench_sizes=(sizes,))).guard is None
    assert analyse(make_task(HALVES, "f", bench_sizes=(sizes, {"n": 10, "half": 10}))).guard is not None


def test_other_nests_keep_their_threads_where_the_condition_does_not_hold(make_task):
    body = HALVES.replace("{\n", "{\n    for (int i = 0; i < n; ++i) x[i] = x[i] * 2;\n", 1)
    kinds = [nest.kind for nest in analyse(make_task(body, "f")).guard.otherwise.nests]
    assert kinds == [Kind.MAP, Kind.SERIAL]


def test_the_decisions_make_the_program_again(make_task):
    task, proposer = make_task(GEMM, "f"), TransformProposer()
    engine = Engine()
    decisions = steps(engine, task, ["map_2d", "shared_memory_tiling"])
    candidate = proposer.rebuild(task, decisions)
    assert "__shared__" in candidate.source and "if (ldc >= n && lda >= k && ldb >= n) {" in candidate.source
    again = TransformProposer().rebuild(task, decisions_from_json(candidate.origin.decisions))
    assert again.source == candidate.source


def test_nests_that_are_cut_and_joined_stay_under_the_condition(make_task):
    loop = "{ y[i] = i; x[i] = x[i] + 0.5f * x[i + half]; }"
    body = re.sub(r"x\[i\] = .*;", loop, HALVES).replace("float* x", "float* x, float* y")
    task, engine = make_task("// shape: y = n\n" + body, "f"), Engine()
    split = engine.text(task, steps(engine, task, ["kernel_fission"]))
    assert split.count("<<<") == 3 and split.count("} else {") == 1
    loops = "for (int i = 0; i < n; ++i) y[i] = i;\n    for (int i = 0; i < n; ++i) x[i] = y[i] + x[i + half];"
    body = re.sub(r"for .*;", loops, HALVES, flags=re.S).replace("float* x", "float* x, float* y")
    task = make_task("// shape: y = n\n" + body, "f")
    joined = engine.program(task, steps(engine, task, ["kernel_fusion"]))
    assert joined.analysis.guard is not None and len(joined.nests) == 1
    assert engine.text(task, steps(engine, task, ["kernel_fusion"])).count("<<<") == 3


def test_explain_names_the_condition(make_task):
    task = make_task(GEMM, "f")
    decisions = steps(Engine(), task, [])
    test = run_time_test(task, decisions)
    assert test.condition == "ldc >= n && lda >= k && ldb >= n" and len(test.lines) == 1
    shown = " ".join(describe_rules(explain(task, decisions), after="the map", width=100, test=test).split())
    assert "needs ldc >= n && lda >= k && ldb >= n: then rows of 'c' do not overlap" in shown
    required = make_task("// require: half >= n\n" + HALVES, "f")
    assert run_time_test(required, steps(Engine(), required, [])) is None
