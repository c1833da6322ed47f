// Transpose: four elements a thread, whose loads are in flight together; small blocks wait for one another less at the barrier.
#include <cuda_runtime.h>

constexpr int kSide = 32, kRows = 8;

// A block reads a tile of rows and writes it, transposed, as a tile of rows too. A thread takes every eighth row.
__global__ void transpose_tile(int n, const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[kSide][kSide + 1];
    const int left = blockIdx.x * kSide, top = blockIdx.y * kSide, x = threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < kSide; y += kRows)
        if (top + y < n && left + x < n) tile[y][x] = in[(long long)(top + y) * n + left + x];
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < kSide; y += kRows)
        if (left + y < n && top + x < n) out[(long long)(left + y) * n + top + x] = tile[x][y];
}

extern "C" void transpose(int n, const float* in, float* out) {
    const int tiles = (n - 1) / kSide + 1;
    if (n > 0) transpose_tile<<<dim3(tiles, tiles), dim3(kSide, kRows)>>>(n, in, out);
}
