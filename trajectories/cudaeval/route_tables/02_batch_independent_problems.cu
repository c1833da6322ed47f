// Route tables: one block a network, whose tables lie in shared memory from the first link to the last hop.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFar = 1 << 22, kNowhere = 255;

constexpr int kThreads = 256, kMost = 64;

__global__ void route(int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    __shared__ int far[kMost * kMost];
    __shared__ uint8_t first[kMost * kMost];
    const int cells = nodes * nodes;
    const long long corner = (long long)blockIdx.x * cells;
    for (int at = threadIdx.x; at < cells; at += kThreads) {
        const int i = at / nodes, j = at % nodes, link = length[corner + at];
        far[at] = i == j ? 0 : link != 0 ? link : kFar;
        first[at] = (uint8_t)(i == j ? i : link != 0 ? j : kNowhere);
    }
    for (int k = 0; k < nodes; ++k) {
        __syncthreads();
        for (int at = threadIdx.x; at < cells; at += kThreads) {
            const int i = at / nodes, j = at % nodes;
            if (i == k || j == k) continue;  // row and column k stay
            const int via = far[i * nodes + k] + far[k * nodes + j];
            if (via < far[at]) {
                far[at] = via;
                first[at] = first[i * nodes + k];
            }
        }
    }
    for (int at = threadIdx.x; at < cells; at += kThreads) {  // its own cells
        distance[corner + at] = far[at];
        hop[corner + at] = first[at];
    }
}

extern "C" void route_tables(int networks, int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    if (networks > 0) route<<<networks, kThreads>>>(nodes, length, distance, hop);
}
