"""Planted faults change a right program, each in its own way; the judge sees most of them."""

import random

import pytest

from regrapht.distil.faults import FAULTS, plant

PROGRAM = """\
#include <cuda_runtime.h>

__host__ __device__ float lifted(float v) {
    return v + 1.0f;
}

__global__ void sums_kernel(int rows, int cols, const float* a, float* out, int* hits) {
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float acc = 0.0f;
    for (int k = 0; k < cols; ++k) {
        acc += a[i * cols + k] - lifted(a[k + 1]);
    }
    part[threadIdx.x] = acc;
    __syncthreads();
    if (acc > lifted(0.5f)) acc = 0.0f;
    if (i < rows) {
        out[i] = acc;
    }
    atomicAdd(&hits[0], 1);
}

extern "C" void sums(int rows, int cols, const float* a, float* out, int* hits) {
    const long long threads_x = rows;
    dim3 block(256);
    dim3 grid((threads_x + 255) / 256);
    sums_kernel<<<grid, block>>>(rows, cols, a, out, hits);
}
"""


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_finds_its_place(fault):
    changed = [FAULTS[fault](PROGRAM, random.Random(seed)) for seed in range(5)]
    assert all(one is not None and one != PROGRAM for one in changed), changed


def test_planting_takes_different_faults_and_says_which():
    planted = plant(PROGRAM, random.Random(1), 4)
    assert len({one.fault for one in planted}) == 4 and all(one.text != PROGRAM for one in planted)


def test_a_text_without_a_place_has_no_fault():
    assert plant("int x;\n", random.Random(1), 3) == []
