// Hausdorff distances: a thread finds the nearest neighbour of one point and raises the largest distance by an atomic.
#include <cuda_runtime.h>

#include <climits>

struct Point {
    short x, y, z;
};

constexpr int kThreads = 128;

__device__ int squared(const Point& a, const Point& b) {
    const int dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

__global__ void search(int n, int m, const Point* a, const Point* b, int* farthest) {
    const int pair = blockIdx.y, i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    const Point own = a[(size_t)pair * n + i];
    const Point* other = b + (size_t)pair * m;
    int least = INT_MAX;
    for (int j = 0; j < m; ++j) least = min(least, squared(own, other[j]));
    atomicMax(&farthest[pair], least);
}

extern "C" void hausdorff_pairs(int pairs, int n, int m, const Point* a, const Point* b, int* farthest) {
    cudaMemsetAsync(farthest, 0, (size_t)pairs * sizeof(int));
    search<<<dim3((n - 1) / kThreads + 1, pairs), kThreads>>>(n, m, a, b, farthest);
}
