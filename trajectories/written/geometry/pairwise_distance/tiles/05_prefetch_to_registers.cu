// Pairwise distances, 4 x 4 patches in registers; the next slice is fetched while the present one is computed.
#include <cuda_runtime.h>

constexpr int kEdge = 16;   // threads along each side, and dimensions per slice
constexpr int kPatch = 4;   // points of each set per thread, kEdge apart
constexpr int kTile = kEdge * kPatch;

// A thread's share of dimensions d0 .. d0+15 of points first .. first+63; what lies outside counts as zero in both sets.
__device__ void fetch(float (&held)[kPatch], const float* points, int count, int dim, int first, int d0) {
    int d = d0 + threadIdx.x;
#pragma unroll
    for (int p = 0; p < kPatch; ++p) {
        int point = first + threadIdx.y + p * kEdge;
        held[p] = point < count && d < dim ? points[(size_t)point * dim + d] : 0.0f;
    }
}

__device__ void store(float (&tile)[kTile][kEdge + 1], const float (&held)[kPatch]) {
#pragma unroll
    for (int p = 0; p < kPatch; ++p) tile[threadIdx.y + p * kEdge][threadIdx.x] = held[p];
}

__global__ void distances(int n, int m, int dim, const float* a, const float* b, float* distance) {
    __shared__ float tile_a[kTile][kEdge + 1];  // [point][dimension]; the extra column avoids bank conflicts
    __shared__ float tile_b[kTile][kEdge + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile;

    float sum[kPatch][kPatch] = {};
    float next_a[kPatch], next_b[kPatch];
    fetch(next_a, a, n, dim, i0, 0);
    fetch(next_b, b, m, dim, j0, 0);
    for (int d0 = 0; d0 < dim; d0 += kEdge) {
        store(tile_a, next_a);
        store(tile_b, next_b);
        __syncthreads();
        if (d0 + kEdge < dim) {  // these loads are under way during the arithmetic below
            fetch(next_a, a, n, dim, i0, d0 + kEdge);
            fetch(next_b, b, m, dim, j0, d0 + kEdge);
        }
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
