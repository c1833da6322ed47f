// Hausdorff distances: after each 1024 neighbours a block drops the points that cannot raise the known distance and closes its ranks.
#include <cuda_runtime.h>

#include <cmath>

struct Point {
    short x, y, z;
};

constexpr int kThreads = 128;
constexpr int kEach = 4;  // points of a thread, at first
constexpr int kChunk = 8 * kThreads;

// A point, doubled and negated, its squared length, and the least |b|^2 - 2 a b so far.
struct Open {
    float x, y, z, length, nearest;
};

// Searches points first .. end - 1 of the other cloud for points[list[t]], points[list[kThreads + t]] ... of thread t.
template <int kMine>
__device__ void search_chunk(int first, int end, const Point* other, const short* list, int count, Open* points, float4* tile) {
    Open own[kMine];
#pragma unroll
    for (int k = 0; k < kMine; ++k) own[k] = points[list[min(k * kThreads + (int)threadIdx.x, count - 1)]];
    for (; first < end; first += kThreads) {
        const Point next = other[min(first + (int)threadIdx.x, end - 1)];
        __syncthreads();
        tile[threadIdx.x] = make_float4(next.x, next.y, next.z, next.x * next.x + next.y * next.y + next.z * next.z);
        __syncthreads();
        for (int j = 0; j < kThreads; ++j) {
            const float4 p = tile[j];
#pragma unroll
            for (int k = 0; k < kMine; ++k) own[k].nearest = fminf(own[k].nearest, p.w + own[k].x * p.x + own[k].y * p.y + own[k].z * p.z);
        }
    }
#pragma unroll
    for (int k = 0; k < kMine; ++k) {
        const int at = k * kThreads + threadIdx.x;
        if (at < count) points[list[at]].nearest = own[k].nearest;
    }
}

__global__ void search(int first_block, int n, int m, const Point* a, const Point* b, int* farthest) {
    __shared__ float4 tile[kThreads];
    __shared__ Open points[kThreads * kEach];
    __shared__ short list[2][kThreads * kEach];
    __shared__ int left[2];
    const int pair = blockIdx.y, base = (first_block + blockIdx.x) * kThreads * kEach;
    int count = min(kThreads * kEach, n - base), turn = 0;
    for (int i = threadIdx.x; i < count; i += kThreads) {
        const Point own = a[(size_t)pair * n + base + i];
        points[i] = {-2.0f * own.x, -2.0f * own.y, -2.0f * own.z, (float)(own.x * own.x + own.y * own.y + own.z * own.z), INFINITY};
        list[0][i] = i;
    }
    if (threadIdx.x < 2) left[threadIdx.x] = 0;
    __syncthreads();
    for (int first = 0; first < m && count > 0; first += kChunk) {
        const int end = min(first + kChunk, m);
        const Point* other = b + (size_t)pair * m;
        const short* now = list[turn % 2];
        if (count <= kThreads)
            search_chunk<1>(first, end, other, now, count, points, tile);
        else if (count <= 2 * kThreads)
            search_chunk<2>(first, end, other, now, count, points, tile);
        else
            search_chunk<kEach>(first, end, other, now, count, points, tile);
        const int known = *(volatile int*)&farthest[pair];
        for (int i = threadIdx.x; i < count; i += kThreads) {
            const Open& own = points[now[i]];
            if (own.length + own.nearest > known) list[(turn + 1) % 2][atomicAdd(&left[turn % 2], 1)] = now[i];
        }
        __syncthreads();
        count = left[turn % 2];
        ++turn;
        if (threadIdx.x == 0) left[turn % 2] = 0;
        __syncthreads();
    }
    int least = 0;
    for (int i = threadIdx.x; i < count; i += kThreads) {
        const Open& own = points[list[turn % 2][i]];
        least = max(least, (int)(own.length + own.nearest));
    }
    least = __reduce_max_sync(~0u, least);
    if (threadIdx.x % 32 == 0) atomicMax(&farthest[pair], least);
}

extern "C" void hausdorff_pairs(int pairs, int n, int m, const Point* a, const Point* b, int* farthest) {
    cudaMemsetAsync(farthest, 0, (size_t)pairs * sizeof(int));
    const int more = (n - 1) / (kThreads * kEach);
    search<<<dim3(1, pairs), kThreads>>>(0, n, m, a, b, farthest);
    if (more > 0) search<<<dim3(more, pairs), kThreads>>>(1, n, m, a, b, farthest);
}
