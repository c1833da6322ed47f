// Cholesky: each block solves the rows that its tile needs, so that sixteen columns are one launch.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void shift(int n, const float* matrix, float* rest) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < n) rest[(size_t)i * n + j] = j > i ? 0.0f : matrix[(size_t)i * n + j] + (i == j ? (float)n : 0.0f);
}

constexpr int kTile = 16;

// Factorises a tile of which each lane of a warp holds a row. What stands above the diagonal is undefined before and after.
__device__ void factorise(float (&row)[kTile], int lane) {
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
        const float root = sqrtf(__shfl_sync(0xffffffffu, row[k], k));
        row[k] = lane == k ? root : row[k] / root;
#pragma unroll
        for (int j = k + 1; j < kTile; ++j) row[j] -= row[k] * __shfl_sync(0xffffffffu, row[k], j);
    }
}

// Solves a row of a tile below the corner, by one thread.
__device__ void solve_row(const float (*corner)[kTile + 1], float* row) {
    float value[kTile];
#pragma unroll
    for (int j = 0; j < kTile; ++j) {
        value[j] = row[j];
#pragma unroll
        for (int k = 0; k < j; ++k) value[j] -= value[k] * corner[j][k];
        value[j] /= corner[j][j];
    }
#pragma unroll
    for (int j = 0; j < kTile; ++j) row[j] = value[j];
}

// A tile of what the columns from `first` on leave of the matrix. Each block solves both stacks of rows that its tile takes products of;
// the blocks of the first column have no such tile, and put the factor.
__global__ void advance(int n, int first, float* rest, float* factor) {
    __shared__ float corner[kTile][kTile + 1], below[kTile][kTile + 1], right[kTile][kTile + 1];
    if (blockIdx.x > blockIdx.y) return;
    const int x = threadIdx.x, y = threadIdx.y, thread = y * kTile + x, k = first + x;
    const int above = first + y, i = above + blockIdx.y * kTile, other = above + blockIdx.x * kTile, j = k + blockIdx.x * kTile;
    const bool is_inside = i < n && j < n;
    const float mine = is_inside ? rest[(size_t)i * n + j] : 0.0f;
    corner[y][x] = above < n && k < n ? rest[(size_t)above * n + k] : (y == x ? 1.0f : 0.0f);
    below[y][x] = i < n && k < n ? rest[(size_t)i * n + k] : 0.0f;
    right[y][x] = other < n && k < n ? rest[(size_t)other * n + k] : 0.0f;
    __syncthreads();
    if (thread < 32) {
        float row[kTile];
#pragma unroll
        for (int c = 0; c < kTile; ++c) row[c] = corner[thread % kTile][c];
        factorise(row, thread % kTile);
        __syncwarp();
        if (thread < kTile)
#pragma unroll
            for (int c = 0; c < kTile; ++c) corner[thread][c] = row[c];
        __syncwarp();
        solve_row(corner, thread < kTile ? below[thread] : right[thread - kTile]);
    }
    __syncthreads();
    if (blockIdx.x > 0) {
        float sum = 0.0f;
#pragma unroll
        for (int c = 0; c < kTile; ++c) sum += below[y][c] * right[x][c];
        if (is_inside) rest[(size_t)i * n + j] = mine - sum;
    } else if (blockIdx.y > 0) {
        const int across = k + blockIdx.y * kTile;
        if (is_inside) factor[(size_t)i * n + j] = below[y][x];
        if (above < n && across < n) factor[(size_t)above * n + across] = 0.0f;
    } else if (is_inside) {
        factor[(size_t)i * n + j] = x > y ? 0.0f : corner[y][x];
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
    const int across = (n + 15) / 16;
    float* rest = nullptr;  // what the columns so far leave of the matrix
    cudaMallocAsync(&rest, sizeof(float) * n * n, 0);
    shift<<<dim3(across, across), dim3(16, 16)>>>(n, matrix, rest);
    for (int first = 0; first < n; first += kTile) {
        const int tiles = (n - first + kTile - 1) / kTile;
        advance<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(n, first, rest, factor);
    }
    log_determinant<<<1, 256>>>(n, factor, result);
    cudaFreeAsync(rest, 0);
}
