// Matrix product: a thread has eight by eight elements, so that a value from shared memory is used eight times in registers.
#include <cuda_runtime.h>

constexpr int kSide = 128, kDeep = 8, kThreads = 256, kLine = 16;  // sides of a block's tile, its depth; threads, and those along a side
constexpr int kOwn = kSide / kLine;                                // rows and columns of a thread

// The rows and columns of a thread are a line of threads apart. A tile of a is stored by columns, with padding against bank conflicts.
__global__ void __launch_bounds__(kThreads, 2)
    multiply(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ float tile_a[kDeep][kSide + 4], tile_b[kDeep][kSide];
    const int t = threadIdx.x, x = t % kLine, y = t / kLine, left = blockIdx.x * kSide, top = blockIdx.y * kSide;
    float sum[kOwn][kOwn] = {};
    for (int first = 0; first < k; first += kDeep) {
        // What lies outside counts as 0.
#pragma unroll
        for (int i = t; i < kSide * kDeep; i += kThreads) {
            const int row = top + i / kDeep, l = first + i % kDeep;
            tile_a[i % kDeep][i / kDeep] = row < m && l < k ? a[(long long)row * k + l] : 0.0f;
        }
#pragma unroll
        for (int i = t; i < kSide * kDeep; i += kThreads) {
            const int l = first + i / kSide, column = left + i % kSide;
            tile_b[i / kSide][i % kSide] = l < k && column < n ? b[(long long)l * n + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int l = 0; l < kDeep; ++l) {
            float u[kOwn], v[kOwn];
#pragma unroll
            for (int i = 0; i < kOwn; ++i) u[i] = tile_a[l][y + i * kLine], v[i] = tile_b[l][x + i * kLine];
#pragma unroll
            for (int i = 0; i < kOwn; ++i)
#pragma unroll
                for (int j = 0; j < kOwn; ++j) sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kOwn; ++i)
#pragma unroll
        for (int j = 0; j < kOwn; ++j) {
            const int row = top + y + i * kLine, column = left + x + j * kLine;
            if (row < m && column < n) c[(long long)row * n + column] = sum[i][j];
        }
}

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    const dim3 grid((n - 1) / kSide + 1, (m - 1) / kSide + 1);
    multiply<<<grid, kThreads>>>(m, n, k, a, b, c);
}
