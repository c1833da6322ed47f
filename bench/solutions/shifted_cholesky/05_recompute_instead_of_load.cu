// Cholesky: a column of tiles is one launch. Each tile takes the products with all columns before it, from the matrix as it was given, and
// works out the corner again for itself.
#include <cuda_runtime.h>

#include <cstddef>

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

__global__ void solve_column(int n, int first, const float* __restrict__ matrix, float* factor) {
    const int tile = first / kTile + blockIdx.x;
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
}

__global__ void log_determinant(int n, const float* factor, float* result) {
    __shared__ double part[8];
    double sum = 0.0;
    for (int i = threadIdx.x; i < n; i += 256) sum += 2.0 * log((double)factor[(size_t)i * n + i]);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < 8; ++w) sum += part[w];
    *result = (float)sum;
}

extern "C" void shifted_cholesky(int n, const float* matrix, float* factor, float* result) {
    const int tiles = (n + kTile - 1) / kTile;
    for (int t = 0; t < tiles; ++t) solve_column<<<tiles - t, dim3(kTile, kTile)>>>(n, t * kTile, matrix, factor);
    log_determinant<<<1, 256>>>(n, factor, result);
}
