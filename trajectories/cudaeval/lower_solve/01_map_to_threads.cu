// Triangular solve: one column of b a thread.
#include <cuda_runtime.h>

__global__ void solve(int n, int columns, const float* l, float* b) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns) return;
    const float scale = 1.0f / n;
    for (int i = 0; i < n; ++i) {
        float sum = b[(size_t)i * columns + j];
        for (int k = 0; k < i; ++k) sum -= scale * l[(size_t)i * n + k] * b[(size_t)k * columns + j];
        b[(size_t)i * columns + j] = sum;
    }
}

extern "C" void lower_solve(int n, int columns, const float* l, float* b) { solve<<<(columns + 63) / 64, 64>>>(n, columns, l, b); }
