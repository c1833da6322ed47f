// Routes: one address a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint16_t hop_of(uint32_t address, int nodes, const uint16_t* table) {
    int node = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        const int entry = table[256 * node + (address >> shift & 255)];
        if (entry >= nodes) return (uint16_t)(entry - nodes);
        node = entry;
    }
    return 65535;
}

__global__ void look_up(int nodes, int addresses, const uint16_t* table, const uint32_t* address, uint16_t* hop) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < addresses) hop[i] = hop_of(address[i], nodes, table);
}

extern "C" void route_lookup(int nodes, int addresses, const uint16_t* table, const uint32_t* address, uint16_t* hop) {
    look_up<<<(addresses - 1) / 256 + 1, 256>>>(nodes, addresses, table, address, hop);
}
