// Matrix product: a thread has eight rows and sixteen columns, a warp a square of 64, so that a value from shared memory is used more often.
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

constexpr int kWarpThreads = 128, kWarpSide = 64, kRows = 8,
              kColumns = 16;  // threads of a block of four warps; a thread's part of a warp's tile

// Where a thread's first row and column are in a block's tile. Lanes that differ in the last bit alone have the same rows, in the bit before
// it the same columns: such loads of quads are taken together, half a warp's at a time, and reach a bank once.
struct Place {
    int row, column;
};

__device__ Place own_place() {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    return {warp / 2 * kWarpSide + 4 * (lane / 2 % 8), warp % 2 * kWarpSide + 4 * (lane % 2 + lane / 16 * 2)};
}

// A thread's values of a line of a tile: kCount of them, by quads that are kApart elements apart.
template <int kApart, int kCount>
__device__ void load_own(const float* line, float (&own)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; i += 4) {
        const float4 four = quad_at(line + i / 4 * kApart);
        own[i] = four.x, own[i + 1] = four.y, own[i + 2] = four.z, own[i + 3] = four.w;
    }
}

__device__ void add_products(const float (&u)[kRows], const float (&v)[kColumns], float (&sum)[kRows][kColumns]) {
#pragma unroll
    for (int i = 0; i < kRows; ++i)
#pragma unroll
        for (int j = 0; j < kColumns; ++j) sum[i][j] += u[i] * v[j];
}

__device__ void store_tile(int m, int n, int top, int left, const float (&sum)[kRows][kColumns], float* c) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
        const int row = top + i / 4 * 32 + i % 4;
        if (row >= m) continue;
#pragma unroll
        for (int j = 0; j < kColumns; j += 4) {
            const int column = left + j / 4 * 16;
            if (column < n) *(float4*)(c + (long long)row * n + column) = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
        }
    }
}

// Adds the products of a tile of a, stored by columns, and a tile of b.
__device__ void multiply_tiles(const float (*tile_a)[kSide + 4], const float (*tile_b)[kSide], Place own, float (&sum)[kRows][kColumns]) {
#pragma unroll
    for (int l = 0; l < kDeep; ++l) {
        float u[kRows], v[kColumns];
        load_own<32>(tile_a[l] + own.row, u);
        load_own<16>(tile_b[l] + own.column, v);
        add_products(u, v, sum);
    }
}

// A thread's quads of a tile of each matrix. What lies outside counts as 0.
struct Quads {
    float4 a[2], b[2];
};

__device__ Quads load_quads(int m, int n, int k, int top, int left, int first, const float* a, const float* b) {
    const int t = threadIdx.x, deep = first + t % 2 * 4, column = left + t % 32 * 4;
    Quads quads = {};
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const int row = top + h * 64 + t / 2, line = first + h * 4 + t / 32;
        if (row < m && deep < k) quads.a[h] = quad_at(a + (long long)row * k + deep);
        if (line < k && column < n) quads.b[h] = quad_at(b + (long long)line * n + column);
    }
    return quads;
}

__device__ void keep_quads(const Quads& quads, float (*tile_a)[kSide + 4], float (*tile_b)[kSide]) {
    const int t = threadIdx.x, deep = t % 2 * 4;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const int row = h * 64 + t / 2;
        tile_a[deep][row] = quads.a[h].x;
        tile_a[deep + 1][row] = quads.a[h].y;
        tile_a[deep + 2][row] = quads.a[h].z;
        tile_a[deep + 3][row] = quads.a[h].w;
        *(float4*)&tile_b[h * 4 + t / 32][t % 32 * 4] = quads.b[h];
    }
}

// Two pairs of tiles take turns, so that one barrier a pair is enough.
__global__ void __launch_bounds__(kWarpThreads, 2)
    multiply_quads(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ __align__(16) float tile_a[2][kDeep][kSide + 4], tile_b[2][kDeep][kSide];
    const int left = blockIdx.x * kSide, top = blockIdx.y * kSide;
    const Place own = own_place();
    float sum[kRows][kColumns] = {};
    keep_quads(load_quads(m, n, k, top, left, 0, a, b), tile_a[0], tile_b[0]);
    __syncthreads();
    int turn = 0;
    for (int next = kDeep; next < k; next += kDeep) {
        const Quads quads = load_quads(m, n, k, top, left, next, a, b);
        multiply_tiles(tile_a[turn], tile_b[turn], own, sum);
        turn ^= 1;
        keep_quads(quads, tile_a[turn], tile_b[turn]);
        __syncthreads();
    }
    multiply_tiles(tile_a[turn], tile_b[turn], own, sum);
    store_tile(m, n, top + own.row, left + own.column, sum, c);
}

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    const dim3 grid((n - 1) / kSide + 1, (m - 1) / kSide + 1);
    if (n % 4 == 0 && k % 4 == 0 && ((uintptr_t)a | (uintptr_t)b | (uintptr_t)c) % 16 == 0)
        multiply_quads<<<grid, kWarpThreads>>>(m, n, k, a, b, c);
    else
        multiply<<<grid, kThreads>>>(m, n, k, a, b, c);
}
