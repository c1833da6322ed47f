// Matrix product: tiles go straight to shared memory, three pairs ahead of the products; nothing on the way stays in registers.
#include <cuda_pipeline.h>
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

constexpr int kStages = 4;

// A pair of tiles; that of a is stored by columns, with padding against bank conflicts.
struct Stage {
    float a[kDeep][kSide + 4], b[kDeep][kSide];
};

// Starts the copies of a thread: eight elements of a column of the tile of a, which change places with each other's rows on the way, and
// two quads of the tile of b. `row_a` and `line_b` are where the matrices have the first of them; rows of a past the last are read as the last.
__device__ void start_copy(int rows, int n, int k, const float* row_a, const float* line_b, Stage& stage) {
    const int t = threadIdx.x;
#pragma unroll
    for (int i = 0; i < kSide; i += kWarpThreads / kDeep)
        __pipeline_memcpy_async(&stage.a[t % kDeep][i + t / kDeep], row_a + (long long)min(i, rows) * k, sizeof(float));
#pragma unroll
    for (int l = 0; l < kDeep; l += kWarpThreads / 32)
        __pipeline_memcpy_async(&stage.b[l + t / 32][t % 32 * 4], line_b + (long long)l * n, sizeof(float4));
    __pipeline_commit();
}

// For whole tiles along k. What lies outside c is computed from rows and columns inside, and not stored.
__global__ void __launch_bounds__(kWarpThreads, 2)
    multiply_quads(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ __align__(16) Stage stages[kStages];
    const int t = threadIdx.x, left = blockIdx.x * kSide, top = blockIdx.y * kSide;
    const int row = min(top + t / kDeep, m - 1), rows = m - 1 - row;
    const float* row_a = a + (long long)row * k + t % kDeep;
    const float* line_b = b + (long long)(t / 32) * n + min(left + t % 32 * 4, n - 4);
    const Place own = own_place();
    float sum[kRows][kColumns] = {};
    int ahead = 0;  // the tile to be copied next; the last one stands in for those past the end
    const auto copy_next = [&](Stage& stage) {
        start_copy(rows, n, k, row_a, line_b, stage);
        if (ahead += kDeep; ahead < k) row_a += kDeep, line_b += (long long)kDeep * n;
    };
    for (int s = 0; s < kStages - 1; ++s) copy_next(stages[s]);
    for (int first = 0, now = 0; first < k; first += kDeep, now = (now + 1) % kStages) {
        __pipeline_wait_prior(kStages - 2);
        __syncthreads();  // everybody's copies are there, and the pair before is done with
        copy_next(stages[(now + kStages - 1) % kStages]);
#pragma unroll
        for (int l = 0; l < kDeep; ++l) {
            float u[kRows], v[kColumns];
            load_own<32>(stages[now].a[l] + own.row, u);
            load_own<16>(stages[now].b[l] + own.column, v);
            add_products(u, v, sum);
        }
    }
    __pipeline_wait_prior(0);
    store_tile(m, n, top + own.row, left + own.column, sum, c);
}

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    const dim3 grid((n - 1) / kSide + 1, (m - 1) / kSide + 1);
    if (n % 4 == 0 && k % kDeep == 0 && ((uintptr_t)a | (uintptr_t)b | (uintptr_t)c) % 16 == 0)
        multiply_quads<<<grid, kWarpThreads>>>(m, n, k, a, b, c);
    else
        multiply<<<grid, kThreads>>>(m, n, k, a, b, c);
}
