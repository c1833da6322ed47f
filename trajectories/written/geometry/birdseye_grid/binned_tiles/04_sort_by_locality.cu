// Bird's-eye grid; returns are partitioned by tiles of 32 x 32 cells, and a block accumulates each tile in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kTile = 32;  // cells along a tile's side
constexpr int kTileCells = kTile * kTile;

struct Return {
    int x, y, z, echo;
};

using Packed = unsigned long long;  // z in the upper half, below it 8 bits of echo and 10 of the cell within its tile

// The tile of a return, or -1 if it lies outside the grid.
__device__ int tile_of(const int4& r, int cells, int cell, Packed& packed) {
    if (r.x < 0 || r.y < 0) return -1;
    int column = r.x / cell, row = r.y / cell;
    if (column >= cells || row >= cells) return -1;
    unsigned int inner = (unsigned int)(row % kTile * kTile + column % kTile);
    packed = (Packed)(unsigned int)r.z << 32 | (Packed)((unsigned int)(r.w & 255) << 10 | inner);
    return row / kTile * ((cells - 1) / kTile + 1) + column / kTile;
}

__global__ void count(int points, int cells, int cell, const int4* scan, int* size) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= points) return;
    Packed packed;
    int tile = tile_of(scan[p], cells, cell, packed);
    if (tile >= 0) atomicAdd(size + tile, 1);
}

// Stretches may lie in any order: each tile reserves its own.
__global__ void reserve(int tiles, const int* size, int* first, int* position, int* reserved) {
    int tile = blockIdx.x * kThreads + threadIdx.x;
    if (tile < tiles) first[tile] = position[tile] = atomicAdd(reserved, size[tile]);
}

__global__ void scatter(int points, int cells, int cell, const int4* scan, int* position, Packed* sorted) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= points) return;
    Packed packed;
    int tile = tile_of(scan[p], cells, cell, packed);
    if (tile >= 0) sorted[atomicAdd(position + tile, 1)] = packed;
}

__global__ void accumulate(int cells, const int* first, const int* size, const Packed* sorted, int* returns, int* top,
                           int* echo_sum) {
    __shared__ int tile_returns[kTileCells], tile_top[kTileCells], tile_echo[kTileCells];
    for (int i = threadIdx.x; i < kTileCells; i += kThreads) {
        tile_returns[i] = 0;
        tile_top[i] = -100000;
        tile_echo[i] = 0;
    }
    __syncthreads();
    const int tile = blockIdx.x, begin = first[tile], end = begin + size[tile];
    for (int k = begin + threadIdx.x; k < end; k += kThreads) {
        const Packed packed = sorted[k];
        const unsigned int low = (unsigned int)packed;
        const int inner = low & (kTileCells - 1);
        atomicAdd(tile_returns + inner, 1);
        atomicMax(tile_top + inner, (int)(packed >> 32));
        atomicAdd(tile_echo + inner, (int)(low >> 10));
    }
    __syncthreads();
    const int across = (cells - 1) / kTile + 1;
    const int row0 = tile / across * kTile, column0 = tile % across * kTile;
    for (int i = threadIdx.x; i < kTileCells; i += kThreads) {
        const int row = row0 + i / kTile, column = column0 + i % kTile;
        if (row >= cells || column >= cells) continue;
        const size_t at = (size_t)row * cells + column;
        returns[at] = tile_returns[i];
        top[at] = tile_top[i];
        echo_sum[at] = tile_echo[i];
    }
}

extern "C" void birdseye_grid(int points, int cells, int cell, const Return* scan, int* returns, int* top,
                              int* echo_sum) {
    const int across = (cells - 1) / kTile + 1, tiles = across * across;
    const int point_blocks = (points - 1) / kThreads + 1;
    const int4* raw = reinterpret_cast<const int4*>(scan);
    int* tables = nullptr;
    Packed* sorted = nullptr;
    cudaMalloc(&tables, (3 * tiles + 1) * sizeof(int));
    cudaMalloc(&sorted, points * sizeof(Packed));
    int *size = tables, *reserved = size + tiles, *first = reserved + 1, *position = first + tiles;
    cudaMemsetAsync(tables, 0, (tiles + 1) * sizeof(int));
    count<<<point_blocks, kThreads>>>(points, cells, cell, raw, size);
    reserve<<<(tiles - 1) / kThreads + 1, kThreads>>>(tiles, size, first, position, reserved);
    scatter<<<point_blocks, kThreads>>>(points, cells, cell, raw, position, sorted);
    accumulate<<<tiles, kThreads>>>(cells, first, size, sorted, returns, top, echo_sum);
    cudaFree(sorted);
    cudaFree(tables);
}
