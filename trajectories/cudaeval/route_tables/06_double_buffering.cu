// Route tables: 4 x 4 cells a thread in registers, distance and hop of a cell in one word; row and column k lie in one of two
// buffers, so that a step has one barrier.
#include <cuda_runtime.h>

#include <cstdint>

// A cell: 256 times the distance, and the first hop.
constexpr unsigned kFar = 1u << 30, kNowhere = 255;

__device__ unsigned cell_of(int i, int j, unsigned link) {
    return i == j ? (unsigned)i : link != 0 ? link << 8 | (unsigned)j : kFar | kNowhere;
}

// The first hop of the way to k stands below the sum of both distances.
__device__ unsigned relaxed(unsigned cell, unsigned to_k, unsigned from_k) {
    const unsigned via = to_k + (from_k & ~255u);
    return via < (cell & ~255u) ? via : cell;
}

constexpr int kSide = 16, kOwn = 4, kMost = kSide * kOwn;

__global__ void __launch_bounds__(kSide * kSide) route(int nodes, const uint16_t* __restrict__ length, int32_t* __restrict__ distance,
                                                       uint8_t* __restrict__ hop) {
    __shared__ unsigned row[2][kMost], column[2][kMost];
    const int x = threadIdx.x, y = threadIdx.y;
    const long long corner = (long long)blockIdx.x * nodes * nodes;
    unsigned cell[kOwn][kOwn];
#pragma unroll
    for (int a = 0; a < kOwn; ++a) {
#pragma unroll
        for (int b = 0; b < kOwn; ++b) {
            const int i = y + kSide * a, j = x + kSide * b;
            cell[a][b] = i < nodes && j < nodes ? cell_of(i, j, length[corner + i * nodes + j]) : kFar | kNowhere;
        }
    }
    for (int k = 0; k < nodes; ++k) {
        const int now = k % 2;
#pragma unroll
        for (int a = 0; a < kOwn; ++a) {
            if (y + kSide * a == k) {
#pragma unroll
                for (int b = 0; b < kOwn; ++b) row[now][x + kSide * b] = cell[a][b];
            }
            if (x + kSide * a == k) {
#pragma unroll
                for (int b = 0; b < kOwn; ++b) column[now][y + kSide * b] = cell[b][a];
            }
        }
        __syncthreads();
        unsigned to_k[kOwn], from_k[kOwn];
#pragma unroll
        for (int a = 0; a < kOwn; ++a) {
            to_k[a] = column[now][y + kSide * a];
            from_k[a] = row[now][x + kSide * a];
        }
#pragma unroll
        for (int a = 0; a < kOwn; ++a)
#pragma unroll
            for (int b = 0; b < kOwn; ++b) cell[a][b] = relaxed(cell[a][b], to_k[a], from_k[b]);
    }
#pragma unroll
    for (int a = 0; a < kOwn; ++a) {
#pragma unroll
        for (int b = 0; b < kOwn; ++b) {
            const int i = y + kSide * a, j = x + kSide * b;
            if (i >= nodes || j >= nodes) continue;
            distance[corner + i * nodes + j] = (int)(cell[a][b] >> 8);
            hop[corner + i * nodes + j] = (uint8_t)cell[a][b];
        }
    }
}

extern "C" void route_tables(int networks, int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    if (networks > 0) route<<<networks, dim3(kSide, kSide)>>>(nodes, length, distance, hop);
}
