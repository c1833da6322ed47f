// Dice walks: one walker a thread, an atomic a stop.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t mixed(uint32_t seed, uint32_t walker, uint32_t step) {
    uint32_t x = seed ^ (walker * 0x9e3779b1u) ^ (step * 0x85ebca77u);
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    return x ^ (x >> 15);
}

__global__ void walk(int walkers, int length, uint32_t seed, const int32_t* row_start, const int32_t* head, const int32_t* start, int32_t* last,
                     int32_t* visits) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= walkers) return;
    int at = start[w];
    for (int s = 0; s < length; ++s) {
        const uint32_t degree = (uint32_t)(row_start[at + 1] - row_start[at]);
        if (degree > 0) at = head[row_start[at] + mixed(seed, (uint32_t)w, (uint32_t)s) % degree];
        atomicAdd(&visits[at], 1);
    }
    last[w] = at;
}

extern "C" void dice_walks(int vertices, int, int walkers, int length, uint32_t seed, const int32_t* row_start, const int32_t* head,
                           const int32_t* start, int32_t* last, int32_t* visits) {
    cudaMemsetAsync(visits, 0, sizeof(int32_t) * vertices);
    walk<<<(walkers + 255) / 256, 256>>>(walkers, length, seed, row_start, head, start, last, visits);
}
