// Product with diagonals: one launch a diagonal, one element of y a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void add(int n, int d, const int32_t* offset, const float* value, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = i + offset[d];
    if (i < n && at >= 0 && at < n) y[i] += value[(long long)d * n + i] * x[at];
}

extern "C" void diagonal_product(int n, int diagonals, const int32_t* offset, const float* value, const float* x, float* y) {
    cudaMemsetAsync(y, 0, sizeof(float) * n);
    for (int d = 0; d < diagonals; ++d) add<<<(n - 1) / 256 + 1, 256>>>(n, d, offset, value, x, y);
}
