// Hausdorff distances: the largest distance of a warp is found within it, and one atomic a warp is left.
#include <cuda_runtime.h>

#include <climits>

struct Point {
    short x, y, z;
};

constexpr int kThreads = 128;

__global__ void search(int n, int m, const Point* a, const Point* b, int* farthest) {
    const int pair = blockIdx.y, i = blockIdx.x * kThreads + threadIdx.x;
    const Point own = a[(size_t)pair * n + min(i, n - 1)];
    const Point* other = b + (size_t)pair * m;
    __shared__ int x[kThreads], y[kThreads], z[kThreads];
    int least = INT_MAX;
    for (int first = 0; first < m; first += kThreads) {
        const Point next = other[min(first + (int)threadIdx.x, m - 1)];
        x[threadIdx.x] = next.x;
        y[threadIdx.x] = next.y;
        z[threadIdx.x] = next.z;
        __syncthreads();
        for (int j = 0; j < kThreads; ++j) {
            const int dx = own.x - x[j], dy = own.y - y[j], dz = own.z - z[j];
            least = min(least, dx * dx + dy * dy + dz * dz);
        }
        __syncthreads();
    }
    least = __reduce_max_sync(~0u, least);
    if (threadIdx.x % 32 == 0) atomicMax(&farthest[pair], least);
}

extern "C" void hausdorff_pairs(int pairs, int n, int m, const Point* a, const Point* b, int* farthest) {
    cudaMemsetAsync(farthest, 0, (size_t)pairs * sizeof(int));
    search<<<dim3((n - 1) / kThreads + 1, pairs), kThreads>>>(n, m, a, b, farthest);
}
