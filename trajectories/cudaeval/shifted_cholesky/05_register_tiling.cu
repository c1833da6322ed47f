// Cholesky: the corner is factorised in registers, a row a lane, and lanes hand each other its columns.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void shift(int n, const float* matrix, float* factor) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < n) factor[(size_t)i * n + j] = j > i ? 0.0f : matrix[(size_t)i * n + j] + (i == j ? (float)n : 0.0f);
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

// The rows of a stack of tiles below the corner, one a thread. The corner's own factor goes to `corner`, as others still read the tile.
__global__ void solve_panel(int n, int first, float* factor, float* corner) {
    __shared__ float tile[kTile][kTile + 1];
    for (int i = threadIdx.x; i < kTile * kTile; i += 128) {
        const int r = first + i / kTile, c = first + i % kTile;
        tile[i / kTile][i % kTile] = r < n && c < n ? factor[(size_t)r * n + c] : (r == c ? 1.0f : 0.0f);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        float own_row[kTile];
#pragma unroll
        for (int j = 0; j < kTile; ++j) own_row[j] = tile[threadIdx.x % kTile][j];
        factorise(own_row, threadIdx.x);
        if (threadIdx.x < kTile)
#pragma unroll
            for (int j = 0; j < kTile; ++j) tile[threadIdx.x][j] = own_row[j];
    }
    __syncthreads();
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < kTile * kTile; i += 128) corner[i] = i % kTile > i / kTile ? 0.0f : tile[i / kTile][i % kTile];
    const int row = first + kTile + blockIdx.x * 128 + threadIdx.x;
    if (row >= n) return;
    float* own = factor + (size_t)row * n + first;
    float value[kTile];
#pragma unroll
    for (int j = 0; j < kTile; ++j) {
        value[j] = own[j];
#pragma unroll
        for (int k = 0; k < j; ++k) value[j] -= value[k] * tile[j][k];
        value[j] /= tile[j][j];
        own[j] = value[j];
    }
}

__global__ void put_corners(int n, const float* corner, float* factor) {
    const int r = blockIdx.x * kTile + threadIdx.x / kTile, c = blockIdx.x * kTile + threadIdx.x % kTile;
    if (r < n && c < n) factor[(size_t)r * n + c] = corner[blockIdx.x * kTile * kTile + threadIdx.x];
}

__global__ void update(int n, int first, float* factor) {
    __shared__ float below[kTile][kTile + 1], right[kTile][kTile + 1];
    if (blockIdx.x > blockIdx.y) return;
    const int behind = first + kTile, x = threadIdx.x, y = threadIdx.y, k = first + x;
    const int i = behind + blockIdx.y * kTile + y, other = behind + blockIdx.x * kTile + y, j = behind + blockIdx.x * kTile + x;
    below[y][x] = i < n ? factor[(size_t)i * n + k] : 0.0f;
    right[y][x] = other < n ? factor[(size_t)other * n + k] : 0.0f;
    __syncthreads();
    if (i >= n || j > i) return;
    float sum = 0.0f;
#pragma unroll
    for (int c = 0; c < kTile; ++c) sum += below[y][c] * right[x][c];
    factor[(size_t)i * n + j] -= sum;
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
    const dim3 block(kTile, kTile);
    float* corner = nullptr;
    cudaMallocAsync(&corner, sizeof(float) * tiles * kTile * kTile, 0);
    shift<<<dim3(tiles, tiles), block>>>(n, matrix, factor);
    for (int t = 0; t < tiles; ++t) {
        const int below = n > (t + 1) * kTile ? n - (t + 1) * kTile : 0, across = tiles - t - 1;
        solve_panel<<<below / 128 + 1, 128>>>(n, t * kTile, factor, corner + t * kTile * kTile);
        if (across > 0) update<<<dim3(across, across), block>>>(n, t * kTile, factor);
    }
    put_corners<<<tiles, kTile * kTile>>>(n, corner, factor);
    log_determinant<<<1, 256>>>(n, factor, result);
    cudaFreeAsync(corner, 0);
}
