// Matrix product: a thread has eight elements of a column, for which a value of b is read once.
#include <cuda_runtime.h>

constexpr int kSide = 64, kDeep = 8, kRows = 8;  // side of a block's tile, its depth; rows of a thread

__global__ void multiply(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ float tile_a[kSide][kDeep], tile_b[kDeep][kSide];
    const int t = threadIdx.x, x = t % kSide, y = t / kSide * kRows, left = blockIdx.x * kSide, top = blockIdx.y * kSide;
    const int row = top + t / kDeep, deep = t % kDeep, line = t / kSide, column = left + x;
    float sum[kRows] = {};
    for (int first = 0; first < k; first += kDeep) {
        // One element of each tile a thread. What lies outside counts as 0.
        tile_a[t / kDeep][deep] = row < m && first + deep < k ? a[(long long)row * k + first + deep] : 0.0f;
        tile_b[line][x] = first + line < k && column < n ? b[(long long)(first + line) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int l = 0; l < kDeep; ++l) {
            const float v = tile_b[l][x];
#pragma unroll
            for (int i = 0; i < kRows; ++i) sum[i] += tile_a[y + i][l] * v;
        }
        __syncthreads();
    }
    if (column >= n) return;
#pragma unroll
    for (int i = 0; i < kRows; ++i)
        if (top + y + i < m) c[(long long)(top + y + i) * n + column] = sum[i];
}

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    multiply<<<dim3((n - 1) / kSide + 1, (m - 1) / kSide + 1), kSide * kDeep>>>(m, n, k, a, b, c);
}
