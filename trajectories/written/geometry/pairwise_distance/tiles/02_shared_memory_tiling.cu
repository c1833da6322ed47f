// Pairwise distances; 16 points of each set are staged in shared memory, 16 dimensions at a time.
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void distances(int n, int m, int dim, const float* a, const float* b, float* distance) {
    __shared__ float tile_a[kTile][kTile];  // [point][dimension]
    __shared__ float tile_b[kTile][kTile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile;

    float sum = 0.0f;
    for (int d0 = 0; d0 < dim; d0 += kTile) {
        // Zeros in both tiles add nothing to a sum.
        int d = d0 + tx;
        tile_a[ty][tx] = i0 + ty < n && d < dim ? a[(size_t)(i0 + ty) * dim + d] : 0.0f;
        tile_b[ty][tx] = j0 + ty < m && d < dim ? b[(size_t)(j0 + ty) * dim + d] : 0.0f;
        __syncthreads();
        for (int k = 0; k < kTile; ++k) {
            float difference = tile_a[ty][k] - tile_b[tx][k];
            sum += difference * difference;
        }
        __syncthreads();  // the tiles are overwritten in the next round
    }
    if (i0 + ty < n && j0 + tx < m) distance[(size_t)(i0 + ty) * m + j0 + tx] = sqrtf(sum);
}

extern "C" void pairwise_distance(int n, int m, int dim, const float* a, const float* b, float* distance) {
    dim3 grid((m + kTile - 1) / kTile, (n + kTile - 1) / kTile);
    distances<<<grid, dim3(kTile, kTile)>>>(n, m, dim, a, b, distance);
}
