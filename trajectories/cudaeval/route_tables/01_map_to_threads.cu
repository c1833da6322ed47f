// Route tables: one thread a pair of nodes, one launch for each node on the way.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFar = 1 << 22, kNowhere = 255;

__global__ void start(long long cells, int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= cells) return;
    const int j = (int)(at % nodes), i = (int)(at / nodes % nodes), link = length[at];
    distance[at] = i == j ? 0 : link != 0 ? link : kFar;
    hop[at] = (uint8_t)(i == j ? i : link != 0 ? j : kNowhere);
}

__global__ void relax(long long cells, int nodes, int k, int32_t* distance, uint8_t* hop) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= cells) return;
    const int j = (int)(at % nodes), i = (int)(at / nodes % nodes);
    const long long corner = at - i * nodes - j;
    if (i == k || j == k) return;  // row and column k stay
    const int via = distance[corner + i * nodes + k] + distance[corner + k * nodes + j];
    if (via < distance[at]) {
        distance[at] = via;
        hop[at] = hop[corner + i * nodes + k];
    }
}

extern "C" void route_tables(int networks, int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    const long long cells = (long long)networks * nodes * nodes;
    const int blocks = (int)((cells + 255) / 256);
    start<<<blocks, 256>>>(cells, nodes, length, distance, hop);
    for (int k = 0; k < nodes; ++k) relax<<<blocks, 256>>>(cells, nodes, k, distance, hop);
}
