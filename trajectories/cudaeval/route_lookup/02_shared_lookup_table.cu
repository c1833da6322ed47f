// Routes: the root, through which every address goes, lies in shared memory.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

constexpr int kThreads = 256;  // as many as a node has entries

__device__ uint16_t hop_of(uint32_t address, int nodes, const uint16_t* root, const uint16_t* table) {
    int entry = root[address >> 24];
    for (int shift = 16; shift >= 0 && entry < nodes; shift -= 8) entry = table[256 * entry + (address >> shift & 255)];
    return (uint16_t)(entry < nodes ? 65535 : entry - nodes);
}

__global__ void look_up(int nodes, int addresses, const uint16_t* __restrict__ table, const uint32_t* __restrict__ address,
                        uint16_t* __restrict__ hop) {
    __shared__ uint16_t root[kThreads];
    root[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < addresses; i += gridDim.x * kThreads)
        hop[i] = hop_of(address[i], nodes, root, table);
}

extern "C" void route_lookup(int nodes, int addresses, const uint16_t* table, const uint32_t* address, uint16_t* hop) {
    look_up<<<std::min((addresses - 1) / kThreads + 1, 132 * 8), kThreads>>>(nodes, addresses, table, address, hop);
}
