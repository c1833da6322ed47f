"""Atomic additions of floats are found by the type of what is added to; whole numbers, minima and counts of ones are left out."""

import pytest

from regrapht.source.float_atomics import float_atomics

ADDS = {
    "an element": "__global__ void k(float* y, float v) { atomicAdd(&y[threadIdx.x], v); }",
    "by arithmetic on the pointer": "__global__ void k(double* __restrict__ y, double v) { atomicAdd(y + threadIdx.x % 4, v); }",
    "shared memory": "__global__ void k(float v) { __shared__ float part[4]; atomicAdd(&part[0], v); }",
    "a variable of the device": "__device__ float total;\n__global__ void k(float v) { atomicAdd(&total, v); }",
    "a member": "struct Sums { int n; float most; };\n__global__ void k(Sums* s, float v) { atomicAdd(&s->most, v); }",
    "a cast": "__global__ void k(void* y, float v) { atomicAdd((float*)y, v); }",
    "within a block": "__global__ void k(float* y, float v) { atomicAdd_block(y, v); }",
    "a tile with two dimensions": "__global__ void k(float v) { __shared__ float t[4][33]; atomicAdd(&t[threadIdx.x][1], v); }",
    "pairs of halves": "__global__ void k(__half2* y, __half2 v) { atomicAdd(y, v); }",
    "compare and swap": "__global__ void k(int* y, float v) { int o = *y; atomicCAS(y, o, __float_as_int(v + __int_as_float(o))); }",
    "a reference": "__global__ void k(float* y, float v) { cuda::atomic_ref<float> r(*y); r.fetch_add(v); }",
    "a template's type": "__global__ void k(const float* x, float *y) { if (x[0] > 0) atomicAdd(&y[0], x[0] * 2); }",
}
COUNTS = {
    "integers": "__global__ void k(int* y, int v) { atomicAdd(&y[threadIdx.x], v); }",
    "integers beside floats": "__global__ void k(const float* x, int* y) { atomicAdd(&y[(int)x[threadIdx.x]], 2); }",
    "ones": "__global__ void k(float* y) { atomicAdd(&y[threadIdx.x % 2], 1.0f); }",
    "the greatest": "__global__ void k(int* y, float v) { atomicMax(y, __float_as_int(v)); }",
    "the greatest by compare and swap": "__global__ void k(int* y, float v) { atomicCAS(y, 0, __float_as_int(fmaxf(v, 1))); }",
    "wide integers": "__global__ void k(unsigned long long* y, float v) { atomicAdd(y, (unsigned long long)(v * 65536)); }",
    "a comment": "__global__ void k(float* y, float v) { /* atomicAdd(y, v) */ y[threadIdx.x] = v; }",
    "another name": "__global__ void k(int* rows, float* y) { atomicAdd(&rows[0], 1); y[0] = 1; }",
}


@pytest.mark.parametrize("name", ADDS)
def test_sums_without_an_order_are_found(name):
    last = ADDS[name].count("\n") + 1
    assert float_atomics(ADDS[name]) == (last,)


@pytest.mark.parametrize("name", COUNTS)
def test_what_no_order_changes_is_left_out(name):
    assert float_atomics(COUNTS[name]) == ()
