// Matrix product: a block loads tiles of both matrices into shared memory, and its threads use each value 32 times.
#include <cuda_runtime.h>

constexpr int kSide = 32;

__global__ void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
    __shared__ float tile_a[kSide][kSide], tile_b[kSide][kSide];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * kSide + x, row = blockIdx.y * kSide + y;
    float sum = 0.0f;
    for (int first = 0; first < k; first += kSide) {
        // What lies outside counts as 0.
        tile_a[y][x] = row < m && first + x < k ? a[(long long)row * k + first + x] : 0.0f;
        tile_b[y][x] = first + y < k && column < n ? b[(long long)(first + y) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int l = 0; l < kSide; ++l) sum += tile_a[y][l] * tile_b[l][x];
        __syncthreads();
    }
    if (row < m && column < n) c[(long long)row * n + column] = sum;
}

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    multiply<<<dim3((n - 1) / kSide + 1, (m - 1) / kSide + 1), dim3(kSide, kSide)>>>(m, n, k, a, b, c);
}
