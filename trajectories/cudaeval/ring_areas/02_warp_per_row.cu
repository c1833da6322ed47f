// Areas of rings: a warp has a ring, its lanes have neighbouring edges.
#include <cuda_runtime.h>

#include <cstdint>

struct Corner {
    int x, y;
};

constexpr int kThreads = 128;

__global__ void add_edges(int rings, const int* start, const Corner* corner, int64_t* doubled) {
    const int r = (blockIdx.x * kThreads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rings) return;
    const int first = start[r], end = start[r + 1];
    int64_t sum = 0;
    for (int i = first + lane; i < end; i += 32) {
        const Corner a = corner[i], b = corner[i + 1 == end ? first : i + 1];
        sum += (int64_t)a.x * b.y - (int64_t)b.x * a.y;
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) doubled[r] = sum;
}

extern "C" void ring_areas(int rings, int corners, const int* start, const Corner* corner, int64_t* doubled) {
    add_edges<<<(rings - 1) / (kThreads / 32) + 1, kThreads>>>(rings, start, corner, doubled);
}
