// Cholesky: sixteen columns at a time. A warp factorises the corner, the rows below are solved, and what is behind takes sixteen products.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void shift(int n, const float* matrix, float* factor) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < n) factor[(size_t)i * n + j] = j > i ? 0.0f : matrix[(size_t)i * n + j] + (i == j ? (float)n : 0.0f);
}

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

// The rows of a stack of tiles below the corner, one a thread. The corner's own factor goes to `corner`, as others still read the tile.
__global__ void solve_panel(int n, int first, float* factor, float* corner) {
    __shared__ float tile[kTile][kTile + 1];
    for (int i = threadIdx.x; i < kTile * kTile; i += 128) {
        const int r = first + i / kTile, c = first + i % kTile;
        tile[i / kTile][i % kTile] = r < n && c < n ? factor[(size_t)r * n + c] : (r == c ? 1.0f : 0.0f);
    }
    __syncthreads();
    if (threadIdx.x < 32) factorise(tile, threadIdx.x);
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
    const int behind = first + kTile, j = behind + blockIdx.x * kTile + threadIdx.x, i = behind + blockIdx.y * kTile + threadIdx.y;
    if (i >= n || j > i) return;
    float sum = 0.0f;
    for (int k = first; k < behind; ++k) sum += factor[(size_t)i * n + k] * factor[(size_t)j * n + k];
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
