"""`regrapht check`: a fault is named, and the exit code says whether it passed."""

import json

import pytest

SUM = """float total(int n, const float* x) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}
"""
TREE = """__global__ void tree(int n, const float* x, float* result) {
    __shared__ float part[256];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = part[0];
}
extern "C" void total(int n, const float* x, float* result) { tree<<<1, 256>>>(n, x, result); }
"""
CANDIDATES = {
    "right": (TREE, "PASSED"),
    "wrong": (TREE.replace("*result = part[0]", "*result = 1.001f * part[0]"), "WRONG_VALUE"),
    "racing": (TREE.replace("        __syncthreads();\n    }", "    }"), "RACE"),
    "out of bounds": (TREE.replace("i < n; i += 256", "i <= n; i += 256"), "OUT_OF_BOUNDS"),
    "not CUDA": (TREE.replace("float sum = 0.0f;", "float sum = nothing;"), "BUILD_FAILED"),
}


@pytest.mark.parametrize("name", CANDIDATES)
def test_the_fault_is_named(cli, name):
    source, status = CANDIDATES[name]
    (cli.folder / "total.cpp").write_text(SUM)
    (cli.folder / "candidate.cu").write_text(source)
    done = cli("check", "total.cpp", "candidate.cu", "--evaluator", "emulated", "--level", "screen")
    assert done.stdout.startswith(status + ":"), done.stdout + done.stderr
    assert done.returncode == (0 if status == "PASSED" else 1)


def test_as_json(cli):
    (cli.folder / "total.cpp").write_text(SUM)
    (cli.folder / "candidate.cu").write_text(CANDIDATES["racing"][0])
    done = cli("check", "total.cpp", "candidate.cu", "--evaluator", "emulated", "--level", "screen", "--json")
    verdict = json.loads(done.stdout)
    assert verdict["status"] == "RACE" and verdict["findings"][0]["line"] and verdict["findings"][0]["other_line"]


def test_a_candidate_that_cannot_be_read(cli):
    (cli.folder / "total.cpp").write_text(SUM)
    assert cli("check", "total.cpp", "nothing.cu").returncode == 2
