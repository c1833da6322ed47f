// Ascent walks: a kernel finds each triangle's next one once; walkers follow one number a move.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int next_of(const int32_t* neighbour, const int32_t* height, int t) {
    const int32_t* near = neighbour + 3 * (size_t)t;
    int best = near[0];
    if (height[near[1]] > height[best]) best = near[1];
    if (height[near[2]] > height[best]) best = near[2];
    return height[best] > height[t] ? best : t;
}

__global__ void link(int triangles, const int32_t* neighbour, const int32_t* height, int* next, int32_t* visits) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= triangles) return;
    next[t] = next_of(neighbour, height, t);
    visits[t] = 0;
}

__global__ void walk(int walkers, int most, const int* __restrict__ next_from, const int32_t* start, int32_t* ends, int32_t* moves,
                     int32_t* visits) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= walkers) return;
    int at = start[w], count = 0;
    while (count < most) {
        const int next = next_from[at];
        if (next == at) break;
        at = next;
        ++count;
    }
    ends[w] = at;
    moves[w] = count;
    atomicAdd(&visits[at], 1);
}

extern "C" void ascent_walks(int triangles, int walkers, int most, const int32_t* neighbour, const int32_t* height, const int32_t* start,
                             int32_t* ends, int32_t* moves, int32_t* visits) {
    int* next = nullptr;
    cudaMallocAsync(&next, sizeof(int) * triangles, 0);
    link<<<(triangles + 255) / 256, 256>>>(triangles, neighbour, height, next, visits);
    walk<<<(walkers + 255) / 256, 256>>>(walkers, most, next, start, ends, moves, visits);
    cudaFreeAsync(next, 0);
}
