// Product with diagonals: a thread goes through all diagonals and keeps its element of y in a register.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int n, int diagonals, const int32_t* __restrict__ offset, const float* __restrict__ value,
                         const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int d = 0; d < diagonals; ++d) {
        const int at = i + offset[d];
        if (at >= 0 && at < n) sum += value[(long long)d * n + i] * x[at];
    }
    y[i] = sum;
}

extern "C" void diagonal_product(int n, int diagonals, const int32_t* offset, const float* value, const float* x, float* y) {
    multiply<<<(n - 1) / 256 + 1, 256>>>(n, diagonals, offset, value, x, y);
}
