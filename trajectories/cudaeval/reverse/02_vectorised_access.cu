// Reversal: one pair of quads a thread, each turned round in registers, where quads from both ends are aligned.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float4 turned(float4 v) { return {v.w, v.z, v.y, v.x}; }

// A quad in the middle changes places with itself.
__global__ void exchange_quads(int quads, float4* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, other = quads - 1 - i;
    if (i > other) return;
    const float4 lower = x[i], upper = x[other];
    x[i] = turned(upper);
    if (i < other) x[other] = turned(lower);
}

__global__ void exchange(int n, float* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    const float lower = x[i], upper = x[n - 1 - i];
    x[i] = upper;
    x[n - 1 - i] = lower;
}

extern "C" void reverse(int n, float* x) {
    if (n < 2) return;
    if (n % 4 == 0 && (uintptr_t)x % 16 == 0)
        exchange_quads<<<(n / 4 - 1) / 2 / 256 + 1, 256>>>(n / 4, (float4*)x);
    else
        exchange<<<(n / 2 - 1) / 256 + 1, 256>>>(n, x);
}
