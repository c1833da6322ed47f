"""Generated programs call `min`, `fmin` and their like with types that CUDA has them for: g++ takes more than nvcc does."""

import pytest

from regrapht.emulate.emulator import EmulatedProgram, Emulator
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.propose.transform_engine import TransformProposer
from regrapht.sandbox.choose import choose_sandbox

MOST = """// shape: x = n * m
// shape: y = n * m
// check: n=1,m=1; n=33,m=7; n=130,m=500
#include <algorithm>
#include <cmath>
#include <vector>
void f(int n, int m, const float* x, float* y) {
    std::vector<float> shifted(n * m);
    float most = 1e-6f;
    for (int i = 0; i < n * m; i++) most = std::max(most, std::fabs(x[i]));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) shifted[i * m + k] = x[i * m + k] / most;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) y[i * m + k] = shifted[i * m + k] - shifted[i * m + (k + 1) % m];
}
"""
RANGE = """// shape: x = n * m
// shape: y = n
// check: n=1,m=1; n=33,m=7; n=130,m=5
#include <cmath>
void f(int n, int m, const float* x, double* y) {
    for (int i = 0; i < n; i++) {
        double low = x[i * m];
        for (int k = 1; k < m; k++) low = std::fmin(low, x[i * m + k]);
        y[i] = low;
    }
}
"""


@pytest.mark.parametrize("text", [MOST, RANGE], ids=["a count that is a product of sizes", "a double and a float"])
def test_the_plain_version_compiles(text, make_task, bench):
    task = make_task(text, "f")
    source = TransformProposer().plain(task).source
    assert isinstance(Emulator(choose_sandbox()).build(source, task, checked=False), EmulatedProgram), source
    assert bench.differences(task, source) == [], source


@pytest.mark.slow
@pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")
@pytest.mark.parametrize("text", [MOST, RANGE], ids=["a count that is a product of sizes", "a double and a float"])
def test_nvcc_compiles_the_plain_version(text, make_task):
    source = TransformProposer().plain(make_task(text, "f")).source
    assert compiles(source, choose_sandbox(), find_nvcc()).content is not None, source
