// Hausdorff distances: |b|^2 - 2 a b is three multiply-adds in single precision, exact below 2^24; |a|^2 is added at the end.
#include <cuda_runtime.h>

#include <cmath>

struct Point {
    short x, y, z;
};

constexpr int kThreads = 128;
constexpr int kEach = 4;  // points of a thread

__global__ void search(int n, int m, const Point* a, const Point* b, int* farthest) {
    const int pair = blockIdx.y;
    float ax[kEach], ay[kEach], az[kEach], length[kEach], nearest[kEach];
    for (int k = 0; k < kEach; ++k) {
        const Point own = a[(size_t)pair * n + min((int)(blockIdx.x * kEach + k) * kThreads + (int)threadIdx.x, n - 1)];
        ax[k] = -2.0f * own.x;
        ay[k] = -2.0f * own.y;
        az[k] = -2.0f * own.z;
        length[k] = own.x * own.x + own.y * own.y + own.z * own.z;
        nearest[k] = INFINITY;
    }
    const Point* other = b + (size_t)pair * m;
    __shared__ float4 tile[kThreads];  // the point and its squared length
    for (int first = 0; first < m; first += kThreads) {
        const Point next = other[min(first + (int)threadIdx.x, m - 1)];
        tile[threadIdx.x] = make_float4(next.x, next.y, next.z, next.x * next.x + next.y * next.y + next.z * next.z);
        __syncthreads();
        for (int j = 0; j < kThreads; ++j) {
            const float4 p = tile[j];
#pragma unroll
            for (int k = 0; k < kEach; ++k) nearest[k] = fminf(nearest[k], p.w + ax[k] * p.x + ay[k] * p.y + az[k] * p.z);
        }
        __syncthreads();
    }
    int least = 0;
    for (int k = 0; k < kEach; ++k) least = max(least, (int)(length[k] + nearest[k]));
    least = __reduce_max_sync(~0u, least);
    if (threadIdx.x % 32 == 0) atomicMax(&farthest[pair], least);
}

extern "C" void hausdorff_pairs(int pairs, int n, int m, const Point* a, const Point* b, int* farthest) {
    cudaMemsetAsync(farthest, 0, (size_t)pairs * sizeof(int));
    search<<<dim3((n - 1) / (kThreads * kEach) + 1, pairs), kThreads>>>(n, m, a, b, farthest);
}
