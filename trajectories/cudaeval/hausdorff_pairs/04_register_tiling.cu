// Hausdorff distances: a thread has four points, so that a neighbour's coordinates are loaded once for four distances.
#include <cuda_runtime.h>

#include <climits>

struct Point {
    short x, y, z;
};

constexpr int kThreads = 128;
constexpr int kEach = 4;  // points of a thread

__global__ void search(int n, int m, const Point* a, const Point* b, int* farthest) {
    const int pair = blockIdx.y;
    Point own[kEach];
    int nearest[kEach];
    for (int k = 0; k < kEach; ++k) {
        own[k] = a[(size_t)pair * n + min((int)(blockIdx.x * kEach + k) * kThreads + (int)threadIdx.x, n - 1)];
        nearest[k] = INT_MAX;
    }
    const Point* other = b + (size_t)pair * m;
    __shared__ int x[kThreads], y[kThreads], z[kThreads];
    for (int first = 0; first < m; first += kThreads) {
        const Point next = other[min(first + (int)threadIdx.x, m - 1)];
        x[threadIdx.x] = next.x;
        y[threadIdx.x] = next.y;
        z[threadIdx.x] = next.z;
        __syncthreads();
        for (int j = 0; j < kThreads; ++j) {
#pragma unroll
            for (int k = 0; k < kEach; ++k) {
                const int dx = own[k].x - x[j], dy = own[k].y - y[j], dz = own[k].z - z[j];
                nearest[k] = min(nearest[k], dx * dx + dy * dy + dz * dz);
            }
        }
        __syncthreads();
    }
    int least = 0;
    for (int k = 0; k < kEach; ++k) least = max(least, nearest[k]);
    least = __reduce_max_sync(~0u, least);
    if (threadIdx.x % 32 == 0) atomicMax(&farthest[pair], least);
}

extern "C" void hausdorff_pairs(int pairs, int n, int m, const Point* a, const Point* b, int* farthest) {
    cudaMemsetAsync(farthest, 0, (size_t)pairs * sizeof(int));
    search<<<dim3((n - 1) / (kThreads * kEach) + 1, pairs), kThreads>>>(n, m, a, b, farthest);
}
