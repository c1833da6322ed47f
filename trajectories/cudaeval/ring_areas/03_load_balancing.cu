// Areas of rings: rings of more than 2048 corners are listed and then divided among all blocks; whole-number sums may come in any order.
#include <cuda_runtime.h>

#include <cstdint>

struct Corner {
    int x, y;
};

constexpr int kThreads = 128;
constexpr int kLong = 2048;      // corners that one warp takes
constexpr int kBlocks = 132 * 4;  // that share long rings

__device__ int64_t add_warp(int64_t value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

// What the edges at i, i + stride ... of the ring first .. end - 1 add.
__device__ int64_t add_some(int i, int stride, int first, int end, const Corner* corner) {
    int64_t sum = 0;
    for (; i < end; i += stride) {
        const Corner a = corner[i], b = corner[i + 1 == end ? first : i + 1];
        sum += (int64_t)a.x * b.y - (int64_t)b.x * a.y;
    }
    return sum;
}

// queue[0] is the number of long rings, which stand behind it.
__global__ void add_short(int rings, const int* start, const Corner* corner, int64_t* doubled, int* queue) {
    const int r = (blockIdx.x * kThreads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rings) return;
    const int first = start[r], end = start[r + 1];
    if (end - first > kLong) {
        if (lane == 0) doubled[r] = 0, queue[atomicAdd(queue, 1) + 1] = r;
        return;
    }
    const int64_t sum = add_warp(add_some(first + lane, 32, first, end, corner));
    if (lane == 0) doubled[r] = sum;
}

__global__ void add_long(const int* start, const Corner* corner, int64_t* doubled, const int* queue) {
    const int count = queue[0];
    for (int k = 1; k <= count; ++k) {
        const int r = queue[k], first = start[r], end = start[r + 1], i = first + blockIdx.x * kThreads + threadIdx.x;
        const int64_t sum = add_warp(add_some(i, gridDim.x * kThreads, first, end, corner));
        if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd((unsigned long long*)&doubled[r], (unsigned long long)sum);
    }
}

extern "C" void ring_areas(int rings, int corners, const int* start, const Corner* corner, int64_t* doubled) {
    const int most = corners / kLong;  // long rings
    int* queue = nullptr;
    cudaMalloc(&queue, ((size_t)most + 1) * sizeof(int));
    cudaMemsetAsync(queue, 0, sizeof(int));
    add_short<<<(rings - 1) / (kThreads / 32) + 1, kThreads>>>(rings, start, corner, doubled, queue);
    if (most > 0) add_long<<<kBlocks, kThreads>>>(start, corner, doubled, queue);
    cudaFree(queue);
}
