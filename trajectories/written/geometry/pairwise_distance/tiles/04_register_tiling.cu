// Pairwise distances; a block covers 64 x 64 pairs, each thread a 4 x 4 patch in registers.
#include <cuda_runtime.h>

constexpr int kEdge = 16;   // threads along each side, and dimensions per slice
constexpr int kPatch = 4;   // points of each set per thread, kEdge apart
constexpr int kTile = kEdge * kPatch;

// Copies dimensions d0 .. d0+15 of points first .. first+63; what lies outside counts as zero in both sets.
__device__ void load_tile(float (&tile)[kTile][kEdge + 1], const float* points, int count, int dim, int first, int d0) {
    int d = d0 + threadIdx.x;
#pragma unroll
    for (int p = 0; p < kPatch; ++p) {
        int row = threadIdx.y + p * kEdge;
        bool inside = first + row < count && d < dim;
        tile[row][threadIdx.x] = inside ? points[(size_t)(first + row) * dim + d] : 0.0f;
    }
}

__global__ void distances(int n, int m, int dim, const float* a, const float* b, float* distance) {
    __shared__ float tile_a[kTile][kEdge + 1];  // [point][dimension]; the extra column avoids bank conflicts
    __shared__ float tile_b[kTile][kEdge + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile;

    float sum[kPatch][kPatch] = {};
    for (int d0 = 0; d0 < dim; d0 += kEdge) {
        load_tile(tile_a, a, n, dim, i0, d0);
        load_tile(tile_b, b, m, dim, j0, d0);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kEdge; ++k) {
            float pa[kPatch], pb[kPatch];
#pragma unroll
            for (int p = 0; p < kPatch; ++p) {
                pa[p] = tile_a[ty + p * kEdge][k];
                pb[p] = tile_b[tx + p * kEdge][k];
            }
#pragma unroll
            for (int p = 0; p < kPatch; ++p) {
#pragma unroll
                for (int q = 0; q < kPatch; ++q) {
                    float difference = pa[p] - pb[q];
                    sum[p][q] += difference * difference;
                }
            }
        }
        __syncthreads();  // the tiles are overwritten in the next round
    }

#pragma unroll
    for (int p = 0; p < kPatch; ++p) {
#pragma unroll
        for (int q = 0; q < kPatch; ++q) {
            int i = i0 + ty + p * kEdge, j = j0 + tx + q * kEdge;
            if (i < n && j < m) distance[(size_t)i * m + j] = sqrtf(sum[p][q]);
        }
    }
}

extern "C" void pairwise_distance(int n, int m, int dim, const float* a, const float* b, float* distance) {
    dim3 grid((m + kTile - 1) / kTile, (n + kTile - 1) / kTile);
    distances<<<grid, dim3(kEdge, kEdge)>>>(n, m, dim, a, b, distance);
}
