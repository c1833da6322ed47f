// Ascent walks: the walk is done once a triangle; a walker looks its end and its moves up.
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

__global__ void climb(int triangles, int most, const int* __restrict__ next_from, int2* __restrict__ summit) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= triangles) return;
    int at = t, count = 0;
    while (count < most) {
        const int next = next_from[at];
        if (next == at) break;
        at = next;
        ++count;
    }
    summit[t] = make_int2(at, count);
}

__global__ void look_up(int walkers, const int2* __restrict__ summit, const int32_t* __restrict__ start, int32_t* __restrict__ ends,
                        int32_t* __restrict__ moves, int32_t* visits) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= walkers) return;
    const int2 end = summit[start[w]];
    ends[w] = end.x;
    moves[w] = end.y;
    atomicAdd(&visits[end.x], 1);
}

extern "C" void ascent_walks(int triangles, int walkers, int most, const int32_t* neighbour, const int32_t* height, const int32_t* start,
                             int32_t* ends, int32_t* moves, int32_t* visits) {
    int* next = nullptr;
    cudaMallocAsync(&next, sizeof(int) * triangles, 0);
    link<<<(triangles + 255) / 256, 256>>>(triangles, neighbour, height, next, visits);
    int2* summit = nullptr;
    cudaMallocAsync(&summit, sizeof(int2) * triangles, 0);
    climb<<<(triangles + 255) / 256, 256>>>(triangles, most, next, summit);
    look_up<<<(walkers + 255) / 256, 256>>>(walkers, summit, start, ends, moves, visits);
    cudaFreeAsync(summit, 0);
    cudaFreeAsync(next, 0);
}
