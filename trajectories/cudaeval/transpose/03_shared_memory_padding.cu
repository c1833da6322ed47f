// Transpose: one more column in a tile puts the elements of a column into different banks.
#include <cuda_runtime.h>

constexpr int kSide = 32;

// A block reads a tile of rows and writes it, transposed, as a tile of rows too.
__global__ void transpose_tile(int n, const float* in, float* out) {
    __shared__ float tile[kSide][kSide + 1];
    const int left = blockIdx.x * kSide, top = blockIdx.y * kSide, x = threadIdx.x, y = threadIdx.y;
    if (top + y < n && left + x < n) tile[y][x] = in[(long long)(top + y) * n + left + x];
    __syncthreads();
    if (left + y < n && top + x < n) out[(long long)(left + y) * n + top + x] = tile[x][y];
}

extern "C" void transpose(int n, const float* in, float* out) {
    const int tiles = (n - 1) / kSide + 1;
    if (n > 0) transpose_tile<<<dim3(tiles, tiles), dim3(kSide, kSide)>>>(n, in, out);
}
