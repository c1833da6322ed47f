// Dice walks: two walkers a thread, so that two chains of loads are on their way.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t mixed(uint32_t seed, uint32_t walker, uint32_t step) {
    uint32_t x = seed ^ (walker * 0x9e3779b1u) ^ (step * 0x85ebca77u);
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    return x ^ (x >> 15);
}

__global__ void pair_up(int vertices, const int32_t* row_start, int2* row, int32_t* visits) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    row[v] = make_int2(row_start[v], row_start[v + 1] - row_start[v]);
    visits[v] = 0;
}

__global__ void walk(int walkers, int length, uint32_t seed, const int2* __restrict__ row, const int32_t* __restrict__ head,
                     const int32_t* __restrict__ start, int32_t* __restrict__ last, int32_t* visits) {
    const int w = blockIdx.x * 512 + threadIdx.x, other = w + 256;
    if (w >= walkers) return;
    const bool both = other < walkers;
    int at = start[w], there = both ? start[other] : 0;
    for (int s = 0; s < length; ++s) {
        const int2 own = row[at], second = row[there];
        if (own.y > 0) at = head[own.x + mixed(seed, (uint32_t)w, (uint32_t)s) % (uint32_t)own.y];
        if (second.y > 0) there = head[second.x + mixed(seed, (uint32_t)other, (uint32_t)s) % (uint32_t)second.y];
        atomicAdd(&visits[at], 1);
        if (both) atomicAdd(&visits[there], 1);
    }
    last[w] = at;
    if (both) last[other] = there;
}

extern "C" void dice_walks(int vertices, int, int walkers, int length, uint32_t seed, const int32_t* row_start, const int32_t* head,
                           const int32_t* start, int32_t* last, int32_t* visits) {
    int2* row = nullptr;
    cudaMallocAsync(&row, sizeof(int2) * vertices, 0);
    pair_up<<<(vertices + 255) / 256, 256>>>(vertices, row_start, row, visits);
    walk<<<(walkers + 511) / 512, 256>>>(walkers, length, seed, row, head, start, last, visits);
    cudaFreeAsync(row, 0);
}
