"""CUB where a task allows it. The emulator cannot run it: values are checked natively against loops in its place, and nvcc compiles it."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht import settings
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import reason_against

from ..judging import steps
from ..native.native_bench import Pair, native_differences

SUM = """// shape: x = n * m
// check: n=1,m=1; n=33,m=70
double weighted(int n, int m, const double* x) {
    double total = 2.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > 0.0) total += 0.5 * x[i * m + j] * i;
    return total;
}
"""
LARGEST = """// shape: x = n
// shape: top = 1
// check: n=1; n=1000
void largest(int n, const int* x, int* top) {
    for (int i = 0; i < n; i++) top[0] = top[0] > x[i] * 3 ? top[0] : x[i] * 3;
}
"""
RUNNING = """// shape: x = n
// shape: out = n
// check: n=1; n=1000
long long running(int n, const int* x, long long* out) {
    long long sum = 5;
    for (int i = 0; i < n; i++) {
        out[i] = sum;
        sum += x[i];
    }
    return sum;
}
"""
RECURRENCE = """// shape: y = n
// check: n=2; n=777
void cumulative(int n, int* y) {
    for (int i = 1; i < n; i++) y[i] += y[i - 1];
}
"""
KEPT = """// shape: x = n
// shape: kept = n
// check: n=1; n=1000
int positive(int n, const float* x, float* kept) {
    int used = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0.0f) kept[used++] = x[i];
    return used;
}
"""
CASES = {"weighted": SUM, "largest": LARGEST, "running": RUNNING, "cumulative": RECURRENCE, "positive": KEPT}


def allowed(name, make_task):
    task = make_task(CASES[name], name)
    return replace(task, contract=replace(task.contract, allow_libraries=("cub",)))


def source_of(task):
    engine = Engine()
    return engine.text(task, steps(engine, task, ["library_call"]))


def test_what_the_library_is_given(make_task):
    pairs = [Pair(task, source_of(task)) for task in (allowed(name, make_task) for name in CASES)]
    assert all("cub::Device" in pair.source for pair in pairs)
    assert native_differences(pairs, choose_sandbox()) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["weighted", "running"])
def test_nvcc_compiles_it(name, make_task, tmp_path):
    nvcc = settings.nvcc() or shutil.which("nvcc") or next(map(str, Path("/usr/local").glob("cuda*/bin/nvcc")), None)
    if nvcc is None:
        pytest.skip("no nvcc")
    (tmp_path / "candidate.cu").write_text(source_of(allowed(name, make_task)))
    command = [nvcc, "-std=c++17", "-arch=sm_90", "-c", "candidate.cu", "-o", "candidate.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]


def test_the_emulator_says_that_it_cannot_run_it(make_task, judging):
    from regrapht.records.candidate import Candidate, Origin
    from regrapht.source.program_hash import program_hash

    task = allowed("largest", make_task)
    source = source_of(task)
    candidate = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="test", seconds=0.0))
    assert judging.evaluator.evaluate(task, candidate, level=Level.SCREEN).status is Status.UNSUPPORTED


def test_why_no_library(make_task):
    engine, rule = Engine(), BY_SLUG["library_call"]
    task = make_task(SUM, "weighted")
    assert "does not allow cub" in reason_against(engine.program(task, steps(engine, task, [])), rule)
    floats = RUNNING.replace("long long", "float")
    task = make_task(floats, "running")
    task = replace(task, contract=replace(task.contract, allow_libraries=("cub",)))
    assert "last bits" in reason_against(engine.program(task, steps(engine, task, [])), rule)
