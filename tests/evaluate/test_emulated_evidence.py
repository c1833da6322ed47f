"""Modelled costs repeat: the call that evidence is taken from is fixed by the task; what decides about right and wrong is drawn anew."""

import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.verdict import Level

# How long a thread runs depends on its value.
STEPS = """void steps(int n, const int* x, int* y) {
    for (int i = 0; i < n; ++i) {
        unsigned v = (unsigned)x[i] * 2654435761u >> 20, count = 0;
        for (; v > 1; ++count) v = v % 2 ? 3 * v + 1 : v / 2;
        y[i] = (int)count;
    }
}"""
KERNEL = """__global__ void k(int n, const int* x, int* y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    unsigned v = (unsigned)x[i] * 2654435761u >> 20, count = 0;
    for (; v > 1; ++count) v = v % 2 ? 3 * v + 1 : v / 2;
    y[i] = (int)count;
}
extern "C" void steps(int n, const int* x, int* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
"""
IN_A_PROCESS = """
import pickle, sys
from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox

task, candidate = pickle.loads(sys.stdin.buffer.read())
judge = EmulatedEvaluator(choose_sandbox())
print(judge.prepare(task, candidate).start)
verdict = judge.evaluate(task, candidate, level=Level(sys.argv[1]))
print(verdict.status.value, dict(verdict.evidence.sizes), verdict.evidence.instructions, verdict.evidence.modelled_cost)
"""


@pytest.fixture(scope="module")
def task(build):
    args = (build.size("n"), build.array("x", "n", "in", dtype="int32"), build.array("y", "n", "out", dtype="int32"))
    return build.task("steps", STEPS, args, ({"n": 70}, {"n": 500}), exact=True, bench_sizes=({"n": 1000},))


def test_two_processes_model_the_same_cost(task, emulated, candidate):
    """The inputs of every other call differ between them, and so does the random order of threads of a full judgement."""
    given = pickle.dumps((task, candidate(KERNEL)))
    screened, full = (
        subprocess.run(
            [sys.executable, "-c", IN_A_PROCESS, level.value], input=given, capture_output=True, check=True
        ).stdout.decode()
        for level in (Level.SCREEN, Level.FULL)
    )
    assert screened == full
    start, verdict = full.splitlines()
    assert verdict.startswith("PASSED {'n': 1000}") and verdict.endswith(start)


def test_cost_does_not_hang_on_the_secret_inputs(task, sandbox, candidate):
    found = [
        EmulatedEvaluator(sandbox, secret=secret).evaluate(task, candidate(KERNEL), level=Level.SCREEN).evidence
        for secret in (None, 1, 2)
    ]
    assert found[0] == found[1] == found[2]


def test_the_inputs_are_fixed_by_the_tasks_content_and_what_decides_is_not(task, sandbox):
    emulated = EmulatedEvaluator(sandbox)  # one without a secret of the tests, as users have it
    oracle, sizes = emulated.oracle(task), {"n": 500}
    first, again = (oracle.evidence_trial(sizes).inputs for _ in range(2))
    assert np.array_equal(first.arrays["x"], again.arrays["x"]) and first.poison == again.poison
    other = emulated.oracle(replace(task, check_sizes=({"n": 71},)))
    assert other.task.content_hash != task.content_hash
    assert not np.array_equal(first.arrays["x"], other.evidence_trial(sizes).inputs.arrays["x"])
    case = first.case
    drawn = [oracle.trials([case])[0].inputs.arrays["x"] for _ in range(2)]
    assert not np.array_equal(*drawn) and not any(np.array_equal(first.arrays["x"], each) for each in drawn)


def test_the_evidence_call_is_compared_too(task, emulated, candidate):
    """Its inputs are no secret, so a program could know them: what it answers there counts, and the other calls decide."""
    expected = emulated.oracle(task).evidence_trial({"n": 500}).expected.as_written["y"]
    table = ", ".join(map(str, expected))
    cheat = f"""__constant__ int answers[] = {{{table}}};
__global__ void k(int n, int* y) {{ if (threadIdx.x < n) y[threadIdx.x] = answers[threadIdx.x]; }}
extern "C" void steps(int n, const int* x, int* y) {{ k<<<1, 512>>>(n, y); }}
"""
    verdict = emulated.evaluate(task, candidate(cheat), level=Level.SCREEN)
    assert not verdict.passed
    assert [case.passed for case in verdict.cases] == [False] * (len(verdict.cases) - 1) + [True]
