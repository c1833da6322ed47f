// Gram matrix, k innermost: one thread per element of C, its sum in a register.
#include <cuda_runtime.h>

__global__ void gram_kernel(int m, int n, const float* A, float* C) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < m; ++k) sum += A[(size_t)k * n + i] * A[(size_t)k * n + j];
    C[(size_t)i * n + j] = sum;
}

extern "C" void gram(int m, int n, const float* A, float* C) {
    dim3 block(16, 16);
    dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
    gram_kernel<<<grid, block>>>(m, n, A, C);
}
