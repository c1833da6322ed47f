// Gram matrix, only the tiles on and above the diagonal are computed; C is symmetric, so the rest is mirrored.
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void gram_kernel(int m, int n, const float* A, float* C) {
    __shared__ float strip_i[kTile][kTile];  // [k][i]
    __shared__ float strip_j[kTile][kTile];  // [k][j]
    if (blockIdx.x < blockIdx.y) return;  // below the diagonal; uniform for the block
    int tx = threadIdx.x, ty = threadIdx.y;
    int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile;

    float sum = 0.0f;
    for (int k0 = 0; k0 < m; k0 += kTile) {
        int k = k0 + ty;
        strip_i[ty][tx] = k < m && i0 + tx < n ? A[(size_t)k * n + i0 + tx] : 0.0f;
        strip_j[ty][tx] = k < m && j0 + tx < n ? A[(size_t)k * n + j0 + tx] : 0.0f;
        __syncthreads();
        for (int kk = 0; kk < kTile; ++kk) sum += strip_i[kk][ty] * strip_j[kk][tx];
        __syncthreads();  // the strips are overwritten in the next round
    }
    int i = i0 + ty, j = j0 + tx;
    if (i < n && j < n) {
        C[(size_t)i * n + j] = sum;
        if (i0 != j0) C[(size_t)j * n + i] = sum;  // a diagonal tile already holds both halves
    }
}

extern "C" void gram(int m, int n, const float* A, float* C) {
    dim3 block(kTile, kTile);
    int tiles = (n + kTile - 1) / kTile;
    gram_kernel<<<dim3(tiles, tiles), block>>>(m, n, A, C);
}
