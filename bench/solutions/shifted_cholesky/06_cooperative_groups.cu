// Cholesky: all columns of tiles are one launch, with barriers of the whole grid between them.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

namespace cg = cooperative_groups;

constexpr int kTile = 16;

// Factorises a tile in shared memory, by one warp with a row a lane.
__device__ void factorise(float (*tile)[kTile + 1], int lane) {
    for (int k = 0; k < kTile; ++k) {
        const float root = sqrtf(tile[k][k]);
        __syncwarp();
        if (lane == k) tile[k][k] = root;
        if (lane > k && lane < kTile) tile[lane][k] /= root;
        __syncwarp();
        for (int j = k + 1; j <= lane && lane < kTile; ++j) tile[lane][j] -= tile[lane][k] * tile[j][k];
        __syncwarp();
    }
}

__device__ void solve_tile(int n, int first, int tile, const float* __restrict__ matrix, float* factor) {
    __shared__ float below[kTile][kTile + 1], right[kTile][kTile + 1], corner[kTile][kTile + 1], own[kTile][kTile + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = tile * kTile + y, col = first + x, above = first + y;
    const bool is_inside = row < n && col < n;
    float mine = is_inside ? matrix[(size_t)row * n + col] : 0.0f;
    float top = above < n && col < n ? matrix[(size_t)above * n + col] + (above == col ? (float)n : 0.0f) : (above == col ? 1.0f : 0.0f);
    for (int start = 0; start < first; start += kTile) {
        __syncthreads();
        below[y][x] = row < n ? factor[(size_t)row * n + start + x] : 0.0f;
        right[y][x] = above < n ? factor[(size_t)above * n + start + x] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int c = 0; c < kTile; ++c) {
            mine -= below[y][c] * right[x][c];
            top -= right[y][c] * right[x][c];
        }
    }
    __syncthreads();
    own[y][x] = mine;
    corner[y][x] = top;
    __syncthreads();
    if (y < 2) factorise(corner, y * kTile + x);
    __syncthreads();
    if (tile * kTile == first) {
        if (is_inside) factor[(size_t)row * n + col] = x > y ? 0.0f : corner[y][x];
    } else {
        if (y == 0) {
            for (int j = 0; j < kTile; ++j) {
                float value = own[x][j];
                for (int k = 0; k < j; ++k) value -= own[x][k] * corner[j][k];
                own[x][j] = value / corner[j][j];
            }
        }
        __syncthreads();
        if (is_inside) factor[(size_t)row * n + col] = own[y][x];
        const int across = tile * kTile + x;
        if (above < n && across < n) factor[(size_t)above * n + across] = 0.0f;
    }
    __syncthreads();
}

__device__ void log_determinant(int n, const float* factor, float* result) {
    __shared__ double part[8];
    const int thread = threadIdx.y * kTile + threadIdx.x;
    double sum = 0.0;
    for (int i = thread; i < n; i += 256) sum += 2.0 * log((double)factor[(size_t)i * n + i]);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (thread % 32 == 0) part[thread / 32] = sum;
    __syncthreads();
    if (thread != 0) return;
    for (int w = 1; w < 8; ++w) sum += part[w];
    *result = (float)sum;
}

__global__ void __launch_bounds__(kTile * kTile) solve(int n, const float* matrix, float* factor, float* result) {
    const cg::grid_group grid = cg::this_grid();
    const int tiles = (n + kTile - 1) / kTile;
    for (int t = 0; t < tiles; ++t) {
        for (int tile = t + blockIdx.x; tile < tiles; tile += gridDim.x) solve_tile(n, t * kTile, tile, matrix, factor);
        grid.sync();
    }
    if (blockIdx.x == 0) log_determinant(n, factor, result);
}

extern "C" void shifted_cholesky(int n, const float* matrix, float* factor, float* result) {
    int resident = 0, processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, solve, kTile * kTile, 0);
    void* given[] = {&n, &matrix, &factor, &result};
    const int blocks = std::min((n + kTile - 1) / kTile, resident * processors);
    cudaLaunchCooperativeKernel((const void*)solve, dim3(blocks), dim3(kTile, kTile), given, 0, nullptr);
}
