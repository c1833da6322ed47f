// Hausdorff distances: 512 points of each pair go first; later blocks stop when none of theirs can raise the distance known by then.
#include <cuda_runtime.h>

#include <cmath>

struct Point {
    short x, y, z;
};

constexpr int kThreads = 128;
constexpr int kEach = 4;  // points of a thread

__global__ void search(int first_block, int n, int m, const Point* a, const Point* b, int* farthest) {
    const int pair = blockIdx.y;
    float ax[kEach], ay[kEach], az[kEach], length[kEach], nearest[kEach];
    for (int k = 0; k < kEach; ++k) {
        const Point own = a[(size_t)pair * n + min((int)((first_block + blockIdx.x) * kEach + k) * kThreads + (int)threadIdx.x, n - 1)];
        ax[k] = -2.0f * own.x;
        ay[k] = -2.0f * own.y;
        az[k] = -2.0f * own.z;
        length[k] = own.x * own.x + own.y * own.y + own.z * own.z;
        nearest[k] = INFINITY;
    }
    const Point* other = b + (size_t)pair * m;
    __shared__ float4 tile[kThreads];  // the point and its squared length
    for (int first = 0; first < m; first += kThreads) {
        const int known = *(volatile int*)&farthest[pair];
        bool open = first == 0;
        for (int k = 0; k < kEach; ++k) open |= length[k] + nearest[k] > known;
        if (!__syncthreads_or(open)) break;
        const Point next = other[min(first + (int)threadIdx.x, m - 1)];
        tile[threadIdx.x] = make_float4(next.x, next.y, next.z, next.x * next.x + next.y * next.y + next.z * next.z);
        __syncthreads();
        for (int j = 0; j < kThreads; ++j) {
            const float4 p = tile[j];
#pragma unroll
            for (int k = 0; k < kEach; ++k) nearest[k] = fminf(nearest[k], p.w + ax[k] * p.x + ay[k] * p.y + az[k] * p.z);
        }
    }
    int least = 0;
    for (int k = 0; k < kEach; ++k) least = max(least, (int)(length[k] + nearest[k]));
    least = __reduce_max_sync(~0u, least);
    if (threadIdx.x % 32 == 0) atomicMax(&farthest[pair], least);
}

extern "C" void hausdorff_pairs(int pairs, int n, int m, const Point* a, const Point* b, int* farthest) {
    cudaMemsetAsync(farthest, 0, (size_t)pairs * sizeof(int));
    const int more = (n - 1) / (kThreads * kEach);
    search<<<dim3(1, pairs), kThreads>>>(0, n, m, a, b, farthest);
    if (more > 0) search<<<dim3(more, pairs), kThreads>>>(1, n, m, a, b, farthest);
}
