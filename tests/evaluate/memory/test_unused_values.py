"""Reads of what nobody wrote refuse a program where their values decide something, and only there."""

from pathlib import Path

import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

TASK = Path(__file__).parents[2] / "cheats" / "tasks" / "affine"
PROGRAM = """#include <cstring>
__global__ void work(int n, float a, const float* x, const float* y, float* z, float* scratch) {
    __shared__ float kept[64];
    const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x % 2 == 0 && i < n) kept[threadIdx.x] = x[i];
    __syncthreads();
    BODY
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    float* s; cudaMalloc(&s, 256 * ((n + 63) / 64));
    work<<<(n + 63) / 64, 64>>>(n, a, x, y, z, s);
    cudaFree(s);
}
"""
OWN = "const float own = threadIdx.x % 2 ? (i < n ? x[i] : 0) : {even}; if (i < n) z[i] = a * own + y[i];"
UNUSED = {
    "lanes of a shuffle": "const float v = kept[threadIdx.x], even = __shfl_sync(~0u, v, lane & ~1);"
    + OWN.format(even="even"),
    "a value that is chosen away": "const float v = kept[threadIdx.x];" + OWN.format(even="v"),
    "a whole row that is read ahead": "float row[2]; row[0] = kept[threadIdx.x & ~1]; row[1] = kept[threadIdx.x | 1];"
    + OWN.format(even="row[0]"),
    "scratch of another": "const float v = scratch[i]; if (i >= n + 64) z[0] = v;"
    + OWN.format(even="kept[threadIdx.x]"),
}
PLAIN = "if (i < n) z[i] = a * x[i] + y[i]"
DECIDING = {
    "times zero": PLAIN + " + 0.0f * kept[threadIdx.x];",
    "a maximum": PLAIN + " + 0.0f * fmaxf(1.0f, kept[threadIdx.x | 1]) * scratch[i];",
    "a branch": "if (!(kept[threadIdx.x] > 1e30f || scratch[i] < 0)) " + PLAIN + ";",
    "a mark that the program knows": "if (__float_as_int(kept[threadIdx.x]) != 0x7fc00abc) " + PLAIN + ";",
    "a number that the program knows": "if (kept[threadIdx.x] != 1234.5f) " + PLAIN + ";",
    "zeros": "if (kept[threadIdx.x] != 0) " + PLAIN + ";",
    "an address": PLAIN + " + 0 * y[__float_as_int(scratch[i]) % n];",
    "the output itself": PLAIN + " + (z[i] != z[i] ? 0.0f : 0.0f * z[i] + 1e-3f);",
}


@pytest.fixture(scope="module")
def judge():
    evaluator = EmulatedEvaluator(choose_sandbox())
    available = evaluator.availability()
    if not available.available:
        pytest.skip(f"the emulator cannot run here: {available.reason}")
    task = load_task(TASK)

    def judged(body):
        source = PROGRAM.replace("BODY", body)
        made = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0))
        return evaluator.evaluate(task, made, level=Level.SCREEN)

    return judged


@pytest.mark.parametrize("name", UNUSED)
def test_values_that_are_never_used(judge, name):
    verdict = judge(UNUSED[name])
    assert verdict.status is Status.PASSED, (verdict.status, verdict.reason)
    assert any(label.startswith("warning_uninit_read") for label in verdict.labels) or not verdict.findings


@pytest.mark.parametrize("name", DECIDING)
def test_values_that_decide(judge, name):
    verdict = judge(DECIDING[name])
    assert verdict.status in (Status.UNINITIALISED_READ, Status.OUT_OF_BOUNDS), (verdict.status, verdict.reason)
