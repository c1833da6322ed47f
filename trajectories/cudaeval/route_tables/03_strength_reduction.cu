// Route tables: a thread keeps one column of its block's table, which spares the divisions of a flat index.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFar = 1 << 22, kNowhere = 255;

constexpr int kMost = 64, kRows = 4;  // threads side by side and one above the other

__global__ void route(int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    __shared__ int far[kMost][kMost];
    __shared__ uint8_t first[kMost][kMost];
    const int j = threadIdx.x;
    const long long corner = (long long)blockIdx.x * nodes * nodes;
    for (int i = threadIdx.y; i < nodes && j < nodes; i += kRows) {
        const int link = length[corner + i * nodes + j];
        far[i][j] = i == j ? 0 : link != 0 ? link : kFar;
        first[i][j] = (uint8_t)(i == j ? i : link != 0 ? j : kNowhere);
    }
    for (int k = 0; k < nodes; ++k) {
        __syncthreads();
        if (j >= nodes || j == k) continue;  // column k stays
        const int onward = far[k][j];
        for (int i = threadIdx.y; i < nodes; i += kRows) {
            const int via = far[i][k] + onward;
            if (via < far[i][j]) {  // never in row k
                far[i][j] = via;
                first[i][j] = first[i][k];
            }
        }
    }
    for (int i = threadIdx.y; i < nodes && j < nodes; i += kRows) {  // its own cells
        distance[corner + i * nodes + j] = far[i][j];
        hop[corner + i * nodes + j] = first[i][j];
    }
}

extern "C" void route_tables(int networks, int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    if (networks > 0) route<<<networks, dim3(kMost, kRows)>>>(nodes, length, distance, hop);
}
