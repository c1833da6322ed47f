// Route tables: a thread's four columns are neighbours, so that links, results and row k are read and written four at a time.
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

// Where `kWide` is set, rows are multiples of four cells and every array begins at a multiple of 16 bytes.
template <bool kWide>
__device__ void load_row(const uint16_t* length, long long corner, int nodes, int i, int j, unsigned* cell) {
    if (i >= nodes || j >= nodes) {
        for (int b = 0; b < kOwn; ++b) cell[b] = kFar | kNowhere;
    } else if (kWide) {
        const ushort4 link = *(const ushort4*)(length + corner + i * nodes + j);
        cell[0] = cell_of(i, j, link.x);
        cell[1] = cell_of(i, j + 1, link.y);
        cell[2] = cell_of(i, j + 2, link.z);
        cell[3] = cell_of(i, j + 3, link.w);
    } else {
#pragma unroll
        for (int b = 0; b < kOwn; ++b)
            cell[b] = j + b < nodes ? cell_of(i, j + b, length[corner + i * nodes + j + b]) : kFar | kNowhere;
    }
}

template <bool kWide>
__device__ void store_row(int32_t* distance, uint8_t* hop, long long place, int left, const unsigned* cell) {
    if (kWide) {
        *(int4*)(distance + place) =
            make_int4((int)(cell[0] >> 8), (int)(cell[1] >> 8), (int)(cell[2] >> 8), (int)(cell[3] >> 8));
        *(unsigned*)(hop + place) = (cell[0] & 255) | (cell[1] & 255) << 8 | (cell[2] & 255) << 16 | cell[3] << 24;
    } else {
        for (int b = 0; b < kOwn && b < left; ++b) {
            distance[place + b] = (int)(cell[b] >> 8);
            hop[place + b] = (uint8_t)cell[b];
        }
    }
}

template <bool kWide>
__global__ void __launch_bounds__(kSide * kSide) route(int nodes, const uint16_t* __restrict__ length, int32_t* __restrict__ distance,
                                                       uint8_t* __restrict__ hop) {
    __shared__ uint4 row[2][kSide];
    __shared__ unsigned column[2][kMost];
    const int x = threadIdx.x, y = threadIdx.y;
    const long long corner = (long long)blockIdx.x * nodes * nodes;
    unsigned cell[kOwn][kOwn];
#pragma unroll
    for (int a = 0; a < kOwn; ++a) load_row<kWide>(length, corner, nodes, y + kSide * a, kOwn * x, cell[a]);
    for (int k = 0; k < nodes; ++k) {
        const int now = k % 2;
#pragma unroll
        for (int a = 0; a < kOwn; ++a) {
            if (y + kSide * a == k) row[now][x] = make_uint4(cell[a][0], cell[a][1], cell[a][2], cell[a][3]);
#pragma unroll
            for (int b = 0; b < kOwn; ++b)
                if (kOwn * x + b == k) column[now][y + kSide * a] = cell[a][b];
        }
        __syncthreads();
        const uint4 from_k = row[now][x];
#pragma unroll
        for (int a = 0; a < kOwn; ++a) {
            const unsigned to_k = column[now][y + kSide * a];
            cell[a][0] = relaxed(cell[a][0], to_k, from_k.x);
            cell[a][1] = relaxed(cell[a][1], to_k, from_k.y);
            cell[a][2] = relaxed(cell[a][2], to_k, from_k.z);
            cell[a][3] = relaxed(cell[a][3], to_k, from_k.w);
        }
    }
#pragma unroll
    for (int a = 0; a < kOwn; ++a) {
        const int i = y + kSide * a;
        if (i < nodes && kOwn * x < nodes)
            store_row<kWide>(distance, hop, corner + i * nodes + kOwn * x, nodes - kOwn * x, cell[a]);
    }
}

extern "C" void route_tables(int networks, int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    if (networks <= 0) return;
    const bool wide = nodes % 4 == 0 && ((uintptr_t)length | (uintptr_t)distance | (uintptr_t)hop) % 16 == 0;
    if (wide)
        route<true><<<networks, dim3(kSide, kSide)>>>(nodes, length, distance, hop);
    else
        route<false><<<networks, dim3(kSide, kSide)>>>(nodes, length, distance, hop);
}
