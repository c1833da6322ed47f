// Cholesky: columns stay without their root until the end, and whoever takes a column's part divides by the pivot: one kernel a column.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void shift(int n, const float* matrix, float* factor) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < n) factor[(size_t)i * n + j] = j > i ? 0.0f : matrix[(size_t)i * n + j] + (i == j ? (float)n : 0.0f);
}

__global__ void update(int n, int k, float* factor) {
    const int j = k + 1 + blockIdx.x * 16 + threadIdx.x, i = k + 1 + blockIdx.y * 16 + threadIdx.y;
    if (i >= n || j > i) return;
    const float pivot = factor[(size_t)k * n + k];
    factor[(size_t)i * n + j] -= factor[(size_t)i * n + k] / pivot * factor[(size_t)j * n + k];
}

__global__ void take_roots(int n, float* factor) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < i) factor[(size_t)i * n + j] *= rsqrtf(factor[(size_t)j * n + j]);
}

__global__ void take_pivots(int n, float* factor) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) factor[(size_t)i * n + i] = sqrtf(factor[(size_t)i * n + i]);
}

__global__ void log_determinant(int n, const float* factor, float* result) {
    __shared__ double part[8];
    double sum = 0.0;
    for (int i = threadIdx.x; i < n; i += 256) sum += 2.0 * log((double)factor[(size_t)i * n + i]);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < 8; ++w) sum += part[w];
    *result = (float)sum;
}

extern "C" void shifted_cholesky(int n, const float* matrix, float* factor, float* result) {
    const int tiles = (n + 15) / 16;
    const dim3 block(16, 16);
    shift<<<dim3(tiles, tiles), block>>>(n, matrix, factor);
    for (int k = 0; k + 1 < n; ++k) {
        const int across = (n - k - 1 + 15) / 16;
        update<<<dim3(across, across), block>>>(n, k, factor);
    }
    take_roots<<<dim3(tiles, tiles), block>>>(n, factor);
    take_pivots<<<(n + 127) / 128, 128>>>(n, factor);
    log_determinant<<<1, 256>>>(n, factor, result);
}
