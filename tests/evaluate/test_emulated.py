"""The judge without a GPU, on whole candidates."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from regrapht.assemble import open_task, plain_version
from regrapht.emulate.emulator import Emulator
from regrapht.errors import EvaluatorUnavailable, InvalidTask
from regrapht.evaluate import emulated as emulated_judge
from regrapht.evaluate.build.compile import TrustedFiles
from regrapht.evaluate.build.nvcc import find_nvcc
from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.encoding import from_json, to_json
from regrapht.records.measurement import Scale
from regrapht.records.task import Contract, Init, Rounding, SourceFile
from regrapht.records.verdict import Level, StageName, StageOutcome, Status, Verdict
from regrapht.sandbox.sandbox import Limits

GEMM = """__global__ void k(int M, int N, int K, const float* A, const float* B, float* C) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= M || j >= N) return;
    float s = 0;
    for (int q = 0; q < K; ++q) s += A[i * K + q] * B[q * N + j];
    C[i * N + j] = s;
}
extern "C" void gemm(int M, int N, int K, const float* A, const float* B, float* C) {
    k<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(M, N, K, A, B, C);
}
"""


def stages(verdict):
    return {stage.name: stage.outcome for stage in verdict.stages}


def test_a_right_candidate(gemm, emulated, candidate):
    task = replace(gemm, bench_sizes=({"M": 48, "N": 96, "K": 80},))
    verdict = emulated.evaluate(task, candidate(GEMM), level=Level.FULL)
    assert verdict.status is Status.PASSED, verdict.reason
    assert stages(verdict)[StageName.TIME] is StageOutcome.ABSENT and verdict.no_timing == "no_gpu"
    assert verdict.evidence.sizes == {"M": 64, "N": 64, "K": 64} and verdict.evidence.launches == 1
    assert {case.family for case in verdict.cases} == {
        "declared", "signed", "wide", "zeros", "denormals", "equal", "sorted", "outlier", "negative", "integers", "cancelling", "levels",
        "small", "skewed",
    }  # fmt: skip
    assert any(case.hidden for case in verdict.cases)
    assert {"M": 48, "N": 96, "K": 80} in [dict(case.sizes) for case in verdict.cases], "the bench shape too"
    assert from_json(Verdict, to_json(verdict)) == verdict


def test_screening_is_less(gemm, emulated, candidate):
    verdict = emulated.evaluate(gemm, candidate(GEMM), level=Level.SCREEN)
    assert verdict.passed and {case.family for case in verdict.cases} == {"declared", "signed"}
    assert len(verdict.cases) < 12, "two families a shape, a near call, a hidden shape and the evidence"
    assert [case.hidden for case in verdict.cases].count(True) == 1


def test_screening_sees_that_a_bound_is_missing_where_all_listed_sizes_are_whole_blocks(build, emulated, candidate):
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    source = "void twice(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }"
    task = build.task("twice", source, args, ({"n": 256}, {"n": 1024}))
    kernel = "__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 256 + threadIdx.x; y[i] = 2 * x[i]; }\n"
    entry = 'extern "C" void twice(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }\n'
    verdict = emulated.evaluate(task, candidate(kernel + entry), level=Level.SCREEN)
    assert verdict.status is Status.OUT_OF_BOUNDS, f"{verdict.status}: {verdict.reason}"
    assert "beside x, an array of float (shape n), at a size that is not listed" in verdict.reason
    told = re.findall(r"\d+", verdict.feedback.replace(f"line {verdict.findings[0].line}", ""))
    assert set(told) <= {"4"}, "bytes of an element, and no size"


def test_elements_that_are_lost_for_some_values_are_wrong_and_not_unwritten(build, emulated, candidate):
    """A bucket that is too small for keys that are all alike."""
    keys = Init(kind="integers", parameters={"low": 0, "high": 100})
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="int32", init=keys),
        build.array("y", "n", "out", dtype="int32"),
    )
    source = """void sorted(int n, const int* x, int* y) {
        int at = 0;
        for (int key = 0; key < 100; ++key)
            for (int i = 0; i < n; ++i)
                if (x[i] == key) y[at++] = key;
    }"""
    task = build.task("sorted", source, args, ({"n": 900},), exact=True, hidden_sizes=False)
    kernel = """__global__ void k(int n, const int* x, int* y) {
        if (threadIdx.x) return;
        int at = 0;
        for (int key = 0; key < 100; ++key) {
            int kept = 0, seen = 0;
            for (int i = 0; i < n; ++i) seen += x[i] == key;
            for (; kept < seen && kept < 60; ++kept) y[at + kept] = key;
            at += seen;
        }
    }
    extern "C" void sorted(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }
    """
    verdict = emulated.evaluate(task, candidate(kernel), level=Level.FULL)
    assert verdict.status is Status.WRONG_VALUE and "never written" in verdict.reason, (
        f"{verdict.status}: {verdict.reason}"
    )


def test_the_yardstick_is_modelled(gemm, emulated, candidate):
    yardstick = emulated.prepare(gemm, candidate(GEMM))
    assert (
        yardstick.scale is Scale.MODELLED and yardstick.start > yardstick.floor > 0 and yardstick.start_name == "plain"
    )
    assert emulated.prepare(gemm, None).start == 1000 * emulated.prepare(gemm, None).floor


WINDOW = """void f(const float* x, float* y, int n, int shift) {
    for (int i = 0; i < n; ++i) y[i] = x[i + shift] * 2;
}"""
READS_PARTS = {
    "a window": WINDOW,
    "a row of a table": """void f(const float* table, float* y, int n, int k) {
    for (int i = 0; i < n; ++i) y[i] = table[k * n + i] * 2;
}""",
    "rows up to a first match": """void f(const float* a, int* first, int n, int m) {
    for (int i = 0; i < n; ++i) {
        int found = -1;
        for (int j = 0; j < m; ++j) if (a[i * m + j] > 0.5f) { found = j; break; }
        first[i] = found;
    }
}""",
}


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(text, id=name, marks=[pytest.mark.slow] * (n > 0))
        for n, (name, text) in enumerate(READS_PARTS.items())
    ],
)
def test_a_plain_version_below_the_floor_stays_the_start_of_the_scale(sandbox, emulated, tmp_path, source):
    """The floor counts whole arrays as moved; a program that reads parts of them costs less."""
    (tmp_path / "f.cpp").write_text(source)
    task = open_task(tmp_path / "f.cpp").task
    plain = plain_version(task)
    yardstick = emulated.prepare(task, plain)
    verdict = emulated.evaluate(task, plain, level=Level.SCREEN)
    assert verdict.passed and verdict.evidence.modelled_cost < emulated_judge._floor(task, verdict.evidence.sizes)
    assert yardstick.start_name == "plain" and yardstick.start == verdict.evidence.modelled_cost
    assert 0 < yardstick.floor < yardstick.start


def test_a_plain_version_above_the_floor_keeps_the_floor(gemm, emulated, candidate):
    yardstick = emulated.prepare(gemm, candidate(GEMM))
    sizes = emulated.evaluate(gemm, candidate(GEMM), level=Level.SCREEN).evidence.sizes
    assert yardstick.floor == emulated_judge._floor(gemm, sizes)


def test_a_plain_version_that_does_nothing_is_no_start(gemm, emulated, candidate):
    empty = GEMM[: GEMM.index('extern "C"')] + (
        'extern "C" void gemm(int M, int N, int K, const float* A, const float* B, float* C) {}'
    )
    assert emulated.prepare(gemm, candidate(empty)).start_name != "plain"


@pytest.mark.slow
def test_a_run_on_a_part_of_an_array_is_told_against_the_plain_version(sandbox, emulated, tmp_path):
    (tmp_path / "f.cpp").write_text(WINDOW)
    options = ("--evaluator", "emulated", "--seed", "1", "--budget", "3", "--json", "--out", "out")
    done = subprocess.run(
        [sys.executable, "-m", "regrapht", "optimize", "f.cpp", *options],
        cwd=tmp_path,
        env={**os.environ, "REGRAPHT_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)
    assert result["judged"] == 3, result["ended"]
    assert "than the plain version's" in result["headline"]


@pytest.mark.parametrize("kind", list(NoSource))
def test_candidates_without_code(gemm, emulated, kind):
    empty = Candidate(
        source=None, program_hash=None, origin=Origin(proposer="x", seconds=0.0), no_source=kind, reason="because"
    )
    verdict = emulated.evaluate(gemm, empty, level=Level.SCREEN)
    expected = Status.SKIPPED if kind is NoSource.SKIPPED else Status.UNPARSABLE
    assert verdict.status is expected and verdict.reason == "because"


def test_feedback_says_where_and_how(gemm, emulated, candidate):
    verdict = emulated.evaluate(gemm, candidate(GEMM.replace("i >= M", "i >= M - 1")), level=Level.SCREEN)
    assert (
        verdict.status is Status.UNWRITTEN
        and "row 16 of 17" in verdict.feedback
        and "M=17 N=33 K=65" in verdict.feedback
    )


def test_feedback_on_precision(gemm, emulated, candidate):
    half = "#include <cuda_fp16.h>\n" + GEMM.replace("A[i * K + q] *", "__half2float(__float2half(A[i * K + q])) *")
    verdict = emulated.evaluate(gemm, candidate(half), level=Level.SCREEN)
    assert verdict.status is Status.WRONG_VALUE and "precision" in verdict.feedback


def test_a_race_names_its_lines(gemm, emulated, candidate):
    racing = GEMM.replace("C[i * N + j] = s;", "C[i * N + j] = s;\n    C[0] = s + j;")
    verdict = emulated.evaluate(gemm, candidate(racing), level=Level.SCREEN)
    assert verdict.status is Status.RACE and any(f.line in (6, 7) for f in verdict.findings)
    assert re.search(r"line [67]", verdict.feedback)


def test_no_expected_value_leaks(gemm, emulated, candidate):
    task = replace(gemm, check_sizes=({"M": 1, "N": 1, "K": 1},))
    verdict = emulated.evaluate(task, candidate(GEMM.replace("= s;", "= s + 1;")), level=Level.SCREEN)
    told = verdict.feedback + verdict.reason
    assert verdict.status is Status.WRONG_VALUE and not re.search(r"\d\.\d{3}", told)


@pytest.mark.slow
@pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")
@pytest.mark.parametrize("ptx", ["membar.gl;", "wgmma.fence.sync.aligned;"])
def test_what_the_emulator_lacks_is_not_what_cuda_forbids(gemm, emulated, candidate, ptx):
    real = GEMM.replace("float s = 0;", f'float s = 0;\n    asm volatile("{ptx}");')
    verdict = emulated.evaluate(gemm, candidate(real), level=Level.SCREEN)
    assert verdict.status is Status.UNSUPPORTED
    verdict = emulated.evaluate(gemm, candidate(real.replace("float s", "flot s")), level=Level.SCREEN)
    assert verdict.status is Status.BUILD_FAILED and "flot" in verdict.feedback


@pytest.mark.slow
@pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")
def test_a_models_program_is_compiled_by_nvcc_on_the_screen_already(gemm, emulated, candidate):
    """`std::memchr` is a function of the host alone; the emulator runs it, because its threads are the host's."""
    lenient = "#include <cstring>\n" + GEMM.replace(
        "float s = 0;", 'float s = std::memchr("a", 97, 1) != nullptr ? 0 : 1;'
    )
    given = candidate(lenient)
    models = replace(given, origin=replace(given.origin, prompt_hash="p"))
    hinted = replace(given, origin=replace(given.origin, proposer="hint"))
    assert emulated.evaluate(gemm, given, level=Level.SCREEN).passed
    for one in (models, hinted):
        verdict = emulated.evaluate(gemm, one, level=Level.SCREEN)
        assert verdict.status is Status.BUILD_FAILED and "memchr" in verdict.feedback


MANY_REGISTERS = """void f(int n, const float* x, float* y) {
    for (int i = 0; i < n; ++i) {
        float s = 0;
        for (int j = 0; j < 96; ++j) s += x[j * n + i] * x[(j * 37 + 11) % 96 * n + i];
        y[i] = s;
    }
}"""
MANY_REGISTERS_KERNEL = """__global__ void BOUNDS k(int n, const float* __restrict__ x, float* y) {
    const int i = blockIdx.x * 1024 + threadIdx.x;
    float r[96], s = 0;
    #pragma unroll
    for (int j = 0; j < 96; ++j) r[j] = i < n ? x[j * n + i] : 0;
    #pragma unroll
    for (int j = 0; j < 96; ++j) s += r[j] * r[(j * 37 + 11) % 96];
    if (i < n) y[i] = s;
}
extern "C" void f(int n, const float* x, float* y) { k<<<(n + 1023) / 1024, 1024>>>(n, x, y); }"""


def many_registers(build):
    args = (build.size("n"), build.array("x", "96*n", "in"), build.array("y", "n", "out"))
    return build.task("f", MANY_REGISTERS, args, ({"n": 100},), length="96")


@pytest.mark.slow
@pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")
def test_a_launch_for_which_registers_do_not_suffice(build, emulated, candidate):
    task = many_registers(build)
    verdict = emulated.evaluate(task, candidate(MANY_REGISTERS_KERNEL.replace("BOUNDS", "")), level=Level.FULL)
    (kernel,) = verdict.resources
    assert verdict.status is Status.CRASHED and "too many resources requested for launch" in verdict.reason
    for word in ("k with 1024 threads", f"{kernel.registers_per_thread} registers", "__launch_bounds__"):
        assert word in verdict.feedback
    bounded = candidate(MANY_REGISTERS_KERNEL.replace("BOUNDS", "__launch_bounds__(1024)"))
    verdict = emulated.evaluate(task, bounded, level=Level.FULL)
    assert verdict.passed and verdict.resources[0].registers_per_thread <= 64, verdict.reason


def test_without_nvcc_the_registers_are_said_to_be_unchecked(build, emulated, candidate, monkeypatch):
    monkeypatch.setattr(emulated_judge, "find_nvcc", lambda: None)
    source = MANY_REGISTERS_KERNEL.replace("BOUNDS", "")
    verdict = emulated.evaluate(many_registers(build), candidate(source), level=Level.FULL)
    assert verdict.passed and {"nvcc_unchecked", "registers_unchecked"} <= set(verdict.labels) and not verdict.resources


def test_a_refused_launch_is_told_with_its_reason(gemm, emulated, candidate):
    verdict = emulated.evaluate(gemm, candidate(GEMM.replace("dim3(16, 16)>>>", "dim3(64, 64)>>>")), level=Level.SCREEN)
    assert verdict.status is Status.CRASHED and "k with 4096 threads a block" in verdict.feedback, verdict


LOOP = "for (int i = 0; i < n; ++i)"
AT_FAULT = {
    "does not compile": ("void f(int n, const float* x, float* y) { y[0] = nothing; }", "does not compile"),
    "crashes": ("void f(int n, const float* x, float* y) { y[-100000000] = 1; }", "crashed with SIGSEGV"),
    "differs from run to run": (
        f"#include <random>\nvoid f(int n, const float* x, float* y) {{ unsigned chance = std::random_device{{}}() % 1000; "
        f"{LOOP} y[i] = x[i] + chance; }}",
        "two runs of the reference on the same inputs differ in y",
    ),
    "has no numbers": (
        f"void f(int n, const float* x, float* y) {{ {LOOP} y[i] = x[i] / 0.0f; }}",
        "every element of y is NaN or infinite",
    ),
}


@pytest.mark.parametrize(("source", "words"), AT_FAULT.values(), ids=AT_FAULT)
def test_the_tasks_fault_is_the_tasks(build, emulated, candidate, source, words):
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", source, args, ({"n": 40},))
    with pytest.raises(InvalidTask, match=words):
        emulated.prepare(task, None)
    right = 'extern "C" void f(int n, const float* x, float* y) {}'
    verdict = emulated.evaluate(task, candidate(right), level=Level.SCREEN)
    assert verdict.status is Status.INVALID_TASK and words in verdict.reason, verdict
    assert "task is at fault" in verdict.feedback and not verdict.cases and verdict.no_timing == "no_gpu"
    assert from_json(Verdict, to_json(verdict)) == verdict


def test_a_reference_in_an_unknown_language_is_the_tasks_fault(build, emulated, candidate):
    task = build.task("f", "", (build.size("n"), build.array("y", "n", "out")), ({"n": 4},), file="reference.f90")
    verdict = emulated.evaluate(task, candidate('extern "C" void f(int n, float* y) {}'), level=Level.SCREEN)
    assert verdict.status is Status.INVALID_TASK and "reference.f90" in verdict.reason


def test_results_may_vary_within_the_bar_where_the_task_says_so(build, emulated):
    """Float atomics and threads add up in another order each time; a reference that does is no fault of such a task."""
    source = AT_FAULT["differs from run to run"][0]
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    little = source.replace("x[i] + chance", "x[i] * (1 + 2e-7f * (chance > 499))")
    assert little != source

    def asked_often(text, *, steady):
        oracle = emulated.oracle(build.task("f", text, args, ({"n": 4000},), deterministic=steady))
        for _ in range(20):  # whether a run adds anything is chance
            oracle.require_sound()
            oracle._sound = False

    asked_often(little, steady=False)
    for text, steady in ((little, True), (source, False)):
        with pytest.raises(InvalidTask, match="differ in y"):
            asked_often(text, steady=steady)


def test_rounding_may_not_decide_an_exact_output(build, emulated, candidate):
    source = "void f(int n, const float* x, int* y) { for (int i = 0; i < n; ++i) y[i] = (int)(x[i] * 1e9f) & 1023; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out", dtype="int32"))
    task = build.task("f", source, args, ({"n": 500},), exact=True)
    with pytest.raises(InvalidTask, match="rounding decides"):
        emulated.prepare(task, None)
    verdict = emulated.evaluate(
        task, candidate('extern "C" void f(int n, const float* x, int* y) {}'), level=Level.SCREEN
    )
    assert verdict.status is Status.INVALID_TASK and "rounding decides" in verdict.reason


@pytest.mark.parametrize("rounding", list(Rounding))
def test_a_product_and_a_sum_round_as_the_task_says(build, emulated, candidate, rounding):
    source = "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = x[i] * x[i] + y[i]; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "inout"))
    task = build.task("f", source, args, ({"n": 500},), exact=True, contract=Contract(rounding=rounding))
    program = """__global__ void k(int n, const float* x, float* y) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = x[i] * x[i] + y[i];
    }
    extern "C" void f(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }"""
    verdict = emulated.evaluate(task, candidate(program), level=Level.SCREEN)
    assert (verdict.status is Status.PASSED) == (rounding is Rounding.SEPARATE), verdict.reason


def test_a_reference_that_fails_in_the_midst_of_a_judgement_blames_the_task(build, sandbox, emulated, candidate):
    """It takes the first draws and stumbles over later ones."""
    source = f"#include <cstdlib>\nvoid f(int n, const float* x, float* y) {{ {LOOP} y[i] = 2 * x[i]; }}"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", source, args, ({"n": 40},))
    right = """__global__ void k(int n, const float* x, float* y) { int i = threadIdx.x; if (i < n) y[i] = 2 * x[i]; }
extern "C" void f(int n, const float* x, float* y) { k<<<1, 64>>>(n, x, y); }"""
    judge = EmulatedEvaluator(sandbox)
    assert judge.evaluate(task, candidate(right), level=Level.SCREEN).passed
    reference = judge.oracle(task).reference
    reference._objects.clear()
    reference._task = replace(
        task,
        reference=replace(
            task.reference, source=SourceFile(name="r.cpp", text=source.replace("{ for", "{ abort(); for"))
        ),
    )
    verdict = judge.evaluate(task, candidate(right), level=Level.SCREEN)
    assert verdict.status is Status.INVALID_TASK and "SIGABRT" in verdict.reason, verdict
    assert [stage.outcome for stage in verdict.stages] == [
        StageOutcome.PASSED, StageOutcome.PASSED, StageOutcome.FAILED,
    ]  # fmt: skip


def test_references_as_written_are_labelled(build, emulated, candidate):
    source = """#include <cstring>
void f(int n, const float* x, float* y) {
    for (int i = 0; i < n; ++i) { unsigned b; memcpy(&b, x + i, 4); y[i] = (b >> 31) ? -x[i] : x[i]; }
}"""
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", source, args, ({"n": 77},))
    right = """__global__ void k(int n, const float* x, float* y) { int i = threadIdx.x; if (i < n) y[i] = fabsf(x[i]); }
extern "C" void f(int n, const float* x, float* y) { for (int o = 0; o < n; o += 64) k<<<1, 64>>>(n - o, x + o, y + o); }"""
    verdict = emulated.evaluate(task, candidate(right), level=Level.FULL)
    assert verdict.passed and "reference_as_written" in verdict.labels, verdict.reason


def test_several_threads_at_once(gemm, emulated, candidate):
    from concurrent.futures import ThreadPoolExecutor

    texts = [GEMM, GEMM.replace("= s;", "= s + 1;"), GEMM.replace("i >= M || ", "")]
    with ThreadPoolExecutor(3) as pool:
        verdicts = list(pool.map(lambda t: emulated.evaluate(gemm, candidate(t), level=Level.SCREEN), texts))
    assert [v.status for v in verdicts] == [Status.PASSED, Status.WRONG_VALUE, Status.OUT_OF_BOUNDS]


def test_a_fixed_secret_repeats_a_verdict(gemm, sandbox, emulated, candidate):
    from regrapht.evaluate.emulated import EmulatedEvaluator

    first, again = (
        EmulatedEvaluator(sandbox, secret=5).evaluate(gemm, candidate(GEMM), level=Level.FULL) for _ in range(2)
    )
    other = emulated.evaluate(gemm, candidate(GEMM), level=Level.FULL)
    assert (first.cases, first.evidence, first.feedback) == (again.cases, again.evidence, again.feedback)
    assert first.cases != other.cases


@pytest.mark.parametrize(("power", "status"), [("x[i] * x[i]", Status.PASSED), ("x[i] * x[i] + 1e-4f", None)])
def test_a_fast_reference_is_held_against_the_reference(build, emulated, candidate, power, status):
    slow = "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = x[i] * x[i]; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", slow, args, ({"n": 70},), bench_sizes=({"n": 3000},))
    fast = SourceFile(name="fast.cpp", text=slow.replace("x[i] * x[i]", power))
    task = replace(task, reference=replace(task.reference, fast=fast))
    kernel = """__global__ void k(int n, const float* x, float* y) { int i = threadIdx.x; if (i < n) y[i] = x[i] * x[i]; }
extern "C" void f(int n, const float* x, float* y) { for (int o = 0; o < n; o += 64) k<<<1, 64>>>(n - o, x + o, y + o); }"""
    if status is None:
        with pytest.raises(InvalidTask, match="fast reference disagrees"):
            emulated.prepare(task, None)
    else:
        verdict = emulated.evaluate(task, candidate(kernel), level=Level.FULL)
        assert verdict.status is status and "bench_by_fast_reference" in verdict.labels, verdict.reason


SCRATCH = """__global__ void square(int n, const float* x, float* scratch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) scratch[i] = x[i] * x[i];
}
__global__ void store(int n, const float* scratch, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scratch[i] WRONG;
}
extern "C" void f(int n, const float* x, float* y) {
    float* scratch = nullptr;
    cudaMalloc(&scratch, (size_t)n * n * sizeof(float));
    square<<<n / 256 + 1, 256>>>(n, x, scratch);
    store<<<n / 256 + 1, 256>>>(n, scratch, y);
    cudaFree(scratch);
}"""


@pytest.mark.parametrize(("large", "wrong", "status"), [(1 << 16, "", "PASSED"), (3000, "* (n < 2000)", "WRONG_VALUE")])
def test_a_program_that_needs_more_memory_at_a_bench_shape_than_the_emulated_device_has(
    build, emulated, candidate, large, wrong, status
):
    """16 GiB, which a GPU has: nothing is known of that shape then, and nothing is held against the program."""
    reference = "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = x[i] * x[i]; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", reference, args, ({"n": 70}, {"n": 300}), bench_sizes=({"n": large},))
    verdict = emulated.evaluate(task, candidate(SCRATCH.replace("WRONG", wrong)), level=Level.FULL)
    assert verdict.status == status, verdict.reason
    assert ("bench_unchecked n=65536" in verdict.labels) == (large == 1 << 16)


def test_an_emulator_that_changed_on_disc_judges_no_more(gemm, sandbox, candidate, tmp_path, monkeypatch):
    """A6: its harness loads what is not trusted, as the other harnesses do."""
    harness = tmp_path / "harness"
    harness.write_bytes(b"as built")
    monkeypatch.setattr(emulated_judge, "TRUSTED", TrustedFiles())
    monkeypatch.setattr(Emulator, "programs", property(lambda self: (harness,)))
    judge = EmulatedEvaluator(sandbox)
    broken = candidate("no code")
    assert judge.evaluate(gemm, broken, level=Level.SCREEN).status is not Status.PASSED
    harness.write_bytes(b"changed")
    with pytest.raises(EvaluatorUnavailable, match="not what was built"):
        judge.evaluate(gemm, broken, level=Level.SCREEN)


def test_the_emulator_names_the_programs_that_it_runs(gemm, sandbox):
    emulator = Emulator(sandbox)
    assert emulator.programs == ()
    emulator.build(GEMM, gemm, checked=True)
    assert [path.name for path in emulator.programs] == ["harness"] and emulator.programs[0].is_file()


NEVER_ENDS = {
    "in host code": ("for (volatile int j = 0; ; ) j = j + 1;", "", "0.3 s of processor time, at n="),
    "in device code": ("", "for (volatile int j = 0; ; ) j = j + 1;", "line "),
    "in the third call": (
        "static int calls = 0; if (++calls == 3) for (volatile int j = 0; ; ) j = j + 1;", "", "0.3 s of processor time",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NEVER_ENDS)
def test_a_call_that_never_ends_is_over_before_the_limit_of_all_calls(build, emulated, candidate, monkeypatch, name):
    on_host, on_device, words = NEVER_ENDS[name]
    monkeypatch.setattr(emulated_judge, "_CALL_S", dict.fromkeys(Level, 0.3))
    monkeypatch.setattr(emulated_judge, "_CHECK_LIMITS", dict.fromkeys(Level, Limits(wall_s=500)))
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    source = "void twice(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }"
    task = build.task("twice", source, args, ({"n": 250},))
    kernel = f"__global__ void k(int n, const float* x, float* y) {{ {on_device} int i = threadIdx.x; if (i < n) y[i] = 2 * x[i]; }}\n"
    entry = f'extern "C" void twice(int n, const float* x, float* y) {{ {on_host} k<<<(n + 255) / 256, 256>>>(n, x, y); }}\n'
    verdict = emulated.evaluate(task, candidate(kernel + entry), level=Level.SCREEN)
    assert verdict.status is Status.TIMED_OUT and words in verdict.reason, f"{verdict.status}: {verdict.reason}"
