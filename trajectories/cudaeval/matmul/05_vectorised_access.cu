// Matrix product: quads are loaded from the matrices and from shared memory, and stored, where rows consist of whole quads.
#include <cuda_runtime.h>

#include <cstdint>

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

__device__ float4 quad_at(const float* p) { return *(const float4*)p; }

// A thread's eight values of a line of a tile: a quad of each half, so that the quads of a warp lie side by side.
__device__ void load_own(const float* line, int place, float (&own)[kOwn]) {
    const float4 lower = quad_at(line + 4 * place), upper = quad_at(line + kSide / 2 + 4 * place);
    own[0] = lower.x, own[1] = lower.y, own[2] = lower.z, own[3] = lower.w;
    own[4] = upper.x, own[5] = upper.y, own[6] = upper.z, own[7] = upper.w;
}

// Adds the products of a tile of a, stored by columns, and a tile of b.
__device__ void multiply_tiles(const float (*tile_a)[kSide + 4], const float (*tile_b)[kSide], int x, int y, float (&sum)[kOwn][kOwn]) {
#pragma unroll
    for (int l = 0; l < kDeep; ++l) {
        float u[kOwn], v[kOwn];
        load_own(tile_a[l], y, u);
        load_own(tile_b[l], x, v);
#pragma unroll
        for (int i = 0; i < kOwn; ++i)
#pragma unroll
            for (int j = 0; j < kOwn; ++j) sum[i][j] += u[i] * v[j];
    }
}

__device__ void store_tile(int m, int n, int top, int left, int x, int y, const float (&sum)[kOwn][kOwn], float* c) {
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
        const int row = top + i / 4 * (kSide / 2) + 4 * y + i % 4;
        if (row >= m) continue;
#pragma unroll
        for (int j = 0; j < kOwn; j += 4) {
            const int column = left + j / 4 * (kSide / 2) + 4 * x;
            if (column < n) *(float4*)(c + (long long)row * n + column) = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
        }
    }
}

// A thread's quad of a tile of each matrix. What lies outside counts as 0.
struct Quads {
    float4 a, b;
};

__device__ Quads load_quads(int m, int n, int k, int top, int left, int first, const float* a, const float* b) {
    const int t = threadIdx.x, row = top + t / 2, deep = first + t % 2 * 4, line = first + t / 32, column = left + t % 32 * 4;
    Quads quads = {};
    if (row < m && deep < k) quads.a = quad_at(a + (long long)row * k + deep);
    if (line < k && column < n) quads.b = quad_at(b + (long long)line * n + column);
    return quads;
}

__device__ void keep_quads(const Quads& quads, float (*tile_a)[kSide + 4], float (*tile_b)[kSide]) {
    const int t = threadIdx.x, deep = t % 2 * 4;
    tile_a[deep][t / 2] = quads.a.x;
    tile_a[deep + 1][t / 2] = quads.a.y;
    tile_a[deep + 2][t / 2] = quads.a.z;
    tile_a[deep + 3][t / 2] = quads.a.w;
    *(float4*)&tile_b[t / 32][t % 32 * 4] = quads.b;
}

__global__ void __launch_bounds__(kThreads, 2)
    multiply_quads(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ __align__(16) float tile_a[kDeep][kSide + 4], tile_b[kDeep][kSide];
    const int x = threadIdx.x % kLine, y = threadIdx.x / kLine, left = blockIdx.x * kSide, top = blockIdx.y * kSide;
    float sum[kOwn][kOwn] = {};
    for (int first = 0; first < k; first += kDeep) {
        keep_quads(load_quads(m, n, k, top, left, first, a, b), tile_a, tile_b);
        __syncthreads();
        multiply_tiles(tile_a, tile_b, x, y, sum);
        __syncthreads();
    }
    store_tile(m, n, top, left, x, y, sum, c);
}

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    const dim3 grid((n - 1) / kSide + 1, (m - 1) / kSide + 1);
    const bool wide = n % 4 == 0 && k % 4 == 0 && ((uintptr_t)a | (uintptr_t)b | (uintptr_t)c) % 16 == 0;
    (wide ? multiply_quads : multiply)<<<grid, kThreads>>>(m, n, k, a, b, c);
}
