"""Miniature CUDA files of our own, and the rule stages in one call."""

from pathlib import Path

import pytest

from regrapht.bench.harvest.cuda_files import filter_file
from regrapht.bench.harvest.dependencies import complete
from regrapht.bench.harvest.kernels import extract, kernels_of
from regrapht.bench.harvest.sequential import Sequential, make_sequential

SCALE = """// SPDX-License-Identifier: MIT
#include "factor.h"
__global__ void scale_kernel(float *data, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { out[i] = data[i] * FACTOR; }
}
"""
REDUCE = """
__global__ void block_sums(const float* x, float* out, int n) {
    __shared__ float buffer[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    buffer[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        float s = 0;
        for (int k = 0; k < 64; ++k) s += buffer[k];
        out[blockIdx.x] = s;
    }
}
"""


def sequential_of(source: str, tmp_path: Path) -> Sequential:
    """A file with one kernel through the rule stages."""
    (tmp_path / "one.cu").write_text(source)
    file = filter_file(tmp_path / "one.cu", tmp_path)
    kernel = extract(*next(kernels_of(file)))
    needed = complete(kernel.text, [*file.headers, file.text])
    constants = frozenset(name for one in needed.needed if not one.is_function for name in one.names)
    return make_sequential(kernel.text, needed.text, entry=kernel.entry, constants=constants)


@pytest.fixture
def sequential(tmp_path: Path):
    """Source of one kernel -> its sequential version."""
    return lambda source: sequential_of(source, tmp_path)


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """Three files: a kernel that rules can do with a header, one that they cannot, and one without a kernel."""
    root = tmp_path / "files"
    (root / "include").mkdir(parents=True)
    (root / "include" / "factor.h").write_text("#define FACTOR 2.5f\n")
    (root / "a_scale.cu").write_text(SCALE)
    (root / "b_reduce.cu").write_text(REDUCE)
    (root / "c_host.cu").write_text("int main() { return 0; }\n")
    return root
