// Route tables: 4 x 4 cells a thread in registers; only row and column k of each step go through shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFar = 1 << 22, kNowhere = 255;

constexpr int kSide = 16, kOwn = 4, kMost = kSide * kOwn;

__global__ void __launch_bounds__(kSide * kSide) route(int nodes, const uint16_t* __restrict__ length, int32_t* __restrict__ distance,
                                                       uint8_t* __restrict__ hop) {
    __shared__ int row[kMost], column[kMost], first[kMost];  // of row k the distances, of column k also the hops
    const int x = threadIdx.x, y = threadIdx.y;
    const long long corner = (long long)blockIdx.x * nodes * nodes;
    int far[kOwn][kOwn], start[kOwn][kOwn];
#pragma unroll
    for (int a = 0; a < kOwn; ++a) {
#pragma unroll
        for (int b = 0; b < kOwn; ++b) {
            const int i = y + kSide * a, j = x + kSide * b;
            const int link = i < nodes && j < nodes ? length[corner + i * nodes + j] : 0;
            far[a][b] = i == j ? 0 : link != 0 ? link : kFar;
            start[a][b] = i == j ? i : link != 0 ? j : kNowhere;
        }
    }
    for (int k = 0; k < nodes; ++k) {
        __syncthreads();
#pragma unroll
        for (int a = 0; a < kOwn; ++a) {
            if (y + kSide * a == k) {
#pragma unroll
                for (int b = 0; b < kOwn; ++b) row[x + kSide * b] = far[a][b];
            }
            if (x + kSide * a == k) {
#pragma unroll
                for (int b = 0; b < kOwn; ++b) {
                    column[y + kSide * b] = far[b][a];
                    first[y + kSide * b] = start[b][a];
                }
            }
        }
        __syncthreads();
        int from_k[kOwn];
#pragma unroll
        for (int b = 0; b < kOwn; ++b) from_k[b] = row[x + kSide * b];
#pragma unroll
        for (int a = 0; a < kOwn; ++a) {
            const int to_k = column[y + kSide * a], hop_to_k = first[y + kSide * a];
#pragma unroll
            for (int b = 0; b < kOwn; ++b) {
                const bool better = to_k + from_k[b] < far[a][b];
                far[a][b] = better ? to_k + from_k[b] : far[a][b];
                start[a][b] = better ? hop_to_k : start[a][b];
            }
        }
    }
#pragma unroll
    for (int a = 0; a < kOwn; ++a) {
#pragma unroll
        for (int b = 0; b < kOwn; ++b) {
            const int i = y + kSide * a, j = x + kSide * b;
            if (i >= nodes || j >= nodes) continue;
            distance[corner + i * nodes + j] = far[a][b];
            hop[corner + i * nodes + j] = (uint8_t)start[a][b];
        }
    }
}

extern "C" void route_tables(int networks, int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    if (networks > 0) route<<<networks, dim3(kSide, kSide)>>>(nodes, length, distance, hop);
}
