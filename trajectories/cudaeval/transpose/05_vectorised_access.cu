// Transpose: quads are loaded, stored and kept in shared memory; four by four elements are transposed in a thread's registers.
#include <cuda_runtime.h>

#include <cstdint>

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

constexpr int kQuads = 16;  // along the side of a tile of quads

// For rows of whole quads. Exclusive-or of the place of a quad with its row spreads the quads of a column over the banks.
__global__ void transpose_quads(int n, const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float4 tile[4 * kQuads][kQuads];
    const int left = blockIdx.x * 4 * kQuads, top = blockIdx.y * 4 * kQuads, x = threadIdx.x, y = threadIdx.y;
    if (top + 4 * y < n && left + 4 * x < n) {
        const float4* from = (const float4*)(in + (long long)(top + 4 * y) * n + left + 4 * x);
        const int step = n / 4;
        const float4 a = from[0], b = from[step], c = from[2ll * step], d = from[3ll * step];
        tile[4 * x][y ^ x] = {a.x, b.x, c.x, d.x};
        tile[4 * x + 1][y ^ x] = {a.y, b.y, c.y, d.y};
        tile[4 * x + 2][y ^ x] = {a.z, b.z, c.z, d.z};
        tile[4 * x + 3][y ^ x] = {a.w, b.w, c.w, d.w};
    }
    __syncthreads();
    if (top + 4 * x >= n) return;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int row = k * kQuads + y;
        if (left + row < n) *(float4*)(out + (long long)(left + row) * n + top + 4 * x) = tile[row][x ^ row / 4];
    }
}

extern "C" void transpose(int n, const float* in, float* out) {
    if (n < 1) return;
    if (n % 4 == 0 && ((uintptr_t)in | (uintptr_t)out) % 16 == 0) {
        const int tiles = (n - 1) / (4 * kQuads) + 1;
        transpose_quads<<<dim3(tiles, tiles), dim3(kQuads, kQuads)>>>(n, in, out);
    } else {
        const int tiles = (n - 1) / kSide + 1;
        transpose_tile<<<dim3(tiles, tiles), dim3(kSide, kRows)>>>(n, in, out);
    }
}
