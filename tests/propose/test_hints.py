"""What the judge says outright, done by machine: against hints as the judge words them, and compilers as they speak."""

from dataclasses import replace

import pytest

from regrapht.propose.hints import with_hints
from regrapht.records.verdict import Finding, Severity, Stage, StageName, StageOutcome, Status
from regrapht.testing.synthetic import synthetic_task, synthetic_verdict

TASK = synthetic_task()
KERNEL = """__global__ void k(long long n, const float* x, float* y) {
  __shared__ float s[64];
  for (int r = 0; r < 2; ++r) {
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[63 - threadIdx.x];
  }
}
"""


def racing(*hints, severity=Severity.ERROR):
    findings = tuple(
        Finding(
            kind="race_shared_rw", status=Status.RACE, severity=severity, checker="emulator", message="m", hint=hint
        )
        for hint in hints
    )
    return replace(synthetic_verdict(Status.RACE), findings=findings)


def refused(output):
    stage = Stage(name=StageName.BUILD, outcome=StageOutcome.FAILED, seconds=0.0, output=output)
    return replace(synthetic_verdict(Status.BUILD_FAILED), stages=(stage,), feedback="")


TURN = (
    "Put __syncthreads() after line 4 and before line 5, and another one at the end of the body of the loop in line 3, after line 5: "
    "the next turn begins before all threads have ended this one."
)


@pytest.mark.parametrize(
    ("hint", "after"),
    [
        ("Put __syncthreads() after line 4 and before line 5.", [4]),
        ("Put __syncthreads() (inside one warp: __syncwarp()) after line 4 and before line 5.", [4]),
        (TURN, [4, 5]),
        ("Put __syncthreads() at the end of the body of the loop in line 3, after line 5: the next turn begins.", [5]),
        ("Put __syncthreads() at the end of k, after line 6: its next call begins before all threads have left.", [6]),
        ("Put grid.sync() after line 4 and before line 5.", None),
        ("In line 4, read into a variable, then put __syncthreads(), then write.", None),
        ("Let each element be written by one thread only, or use an atomic operation.", None),
        ("", None),
    ],
)
def test_barriers_go_where_the_hint_says(hint, after):
    mended = with_hints(KERNEL, racing(hint), TASK)
    if after is None:
        assert mended is None
        return
    lines = KERNEL.split("\n")
    for line in sorted(after, reverse=True):
        lines.insert(line, lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip())] + "__syncthreads();")
    assert mended == "\n".join(lines)


def test_hints_of_several_findings_are_taken_at_once_and_each_place_once():
    mended = with_hints(KERNEL, racing(TURN, "Put __syncthreads() after line 4 and before line 5."), TASK)
    assert mended is not None and mended.count("__syncthreads") == 2
    assert with_hints(mended, racing("Put __syncthreads() after line 4 and before line 5."), TASK) is None, (
        "it is there"
    )


def test_a_loop_without_braces_gets_no_barrier():
    text = "__global__ void k(float* s) {\n  for (int r = 0; r < 2; ++r)\n    s[0] = r;\n}\n"
    hint = "Put __syncthreads() at the end of the body of the loop in line 2, after line 3: the next turn begins."
    assert with_hints(text, racing(hint), TASK) is None


def test_warnings_are_left_alone():
    verdict = racing("Put __syncthreads() after line 4 and before line 5.", severity=Severity.WARNING)
    assert with_hints(KERNEL, verdict, TASK) is None


@pytest.mark.parametrize("status", [Status.OUT_OF_BOUNDS, Status.UNINITIALISED_READ, Status.WRONG_VALUE, Status.RACE])
def test_a_barrier_is_tried_where_the_verdict_is_about_it(status):
    """What reads beyond its array fails on with a barrier too: that would be a judgement for nothing."""
    raced = racing("Put __syncthreads() after line 4 and before line 5.").findings
    verdict = replace(synthetic_verdict(status), findings=raced)
    assert (with_hints(KERNEL, verdict, TASK) is not None) is (status is Status.RACE)


@pytest.mark.parametrize(
    ("text", "output", "becomes"),
    [
        (
            "int f(int idx) { return idz; }\n",
            "candidate.cu:1:25: error: 'idz' was not declared in this scope; did you mean 'idx'?",
            "int f(int idx) { return idx; }\n",
        ),
        (
            "void f(float* y) { y[0] = 1 }\n",
            "candidate.cu:1:29: error: expected ';' before '}' token",
            "void f(float* y) { y[0] = 1; }\n",
        ),
        (
            "void f() {\n  int a = 1\n  int b = 2;\n}\n",
            "candidate.cu:3:3: error: expected ',' or ';' before 'int'",
            "void f() {\n  int a = 1;\n  int b = 2;\n}\n",
        ),
        (
            "void f(float* y) {\n  y[0] = 1\n\n}\n",
            "candidate.cu:2:11: error: expected ';' before '}' token",
            "void f(float* y) {\n  y[0] = 1;\n\n}\n",
        ),
        (
            "void f(float* y) {\n  if (y) { y[0] = 1 }\n}\n",
            'candidate.cu(2): error: expected a ";"\n    if (y) { y[0] = 1 }\n                      ^\n',
            "void f(float* y) {\n  if (y) { y[0] = 1; }\n}\n",
        ),
        (
            "void f() { std::sort(0, 0); }\n",
            'candidate.cu(1): error: namespace "std" has no member "sort"',
            "#include <algorithm>\nvoid f() { std::sort(0, 0); }\n",
        ),
        (
            "void f() { std::jthread t; }\n",
            "note: 'std::jthread' is defined in header '<thread>'; did you forget to '#include <thread>'?",
            "#include <thread>\nvoid f() { std::jthread t; }\n",
        ),
        ("void f() { g(); }\n", 'candidate.cu(1): error: identifier "g" is undefined', None),
        ("void f() { g(); }\n", "candidate.cu:99:1: error: expected ';' before '}' token", None),
        (
            "void f() { g(); }\n",
            "candidate.cu:99:1: error: 'g' was not declared in this scope; did you mean 'h'?",
            None,
        ),
        ("void f() { g(); }\n", 'candidate.cu(99): error: expected a ";"\n  }\n  ^\n', None),
        ("void f() { g(); }\n", "", None),
        ("", "candidate.cu:1:1: error: expected ';' before 'x'", None),
    ],
)
def test_what_a_compiler_names_is_done(text, output, becomes):
    assert with_hints(text, refused(output), TASK) == becomes
