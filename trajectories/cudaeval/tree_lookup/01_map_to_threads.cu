// Tree lookups: one query a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void descend(uint32_t nodes, int queries, const uint32_t* separator, const uint32_t* query, uint32_t* leaf, uint8_t* depth) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    uint32_t node = 0;
    int visited = 0;
    while (node < nodes) {
        int below = 0;
        for (int k = 0; k < 16; ++k) below += separator[16 * node + k] <= query[q];
        node = 17 * node + 1 + below;
        ++visited;
    }
    leaf[q] = node - nodes;
    depth[q] = (uint8_t)visited;
}

extern "C" void tree_lookup(int nodes, int queries, const uint32_t* separator, const uint32_t* query, uint32_t* leaf, uint8_t* depth) {
    descend<<<(queries - 1) / 256 + 1, 256>>>(nodes, queries, separator, query, leaf, depth);
}
