// Bird's-eye grid; returns partitioned by tiles, eight blocks per tile accumulate slices of it in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kTile = 32;  // cells along a tile's side
constexpr int kTileCells = kTile * kTile;
constexpr int kShare = 4096;      // returns per block of the partition
constexpr int kMostTiles = 1024;  // tallied in shared memory
constexpr int kSlices = 8;        // blocks that share a tile

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

__device__ void tally(int first_point, int end, int cells, int cell, const int4* scan, int tiles, int* mine) {
    for (int tile = threadIdx.x; tile < tiles; tile += kThreads) mine[tile] = 0;
    __syncthreads();
    for (int p = first_point + threadIdx.x; p < end; p += kThreads) {
        Packed packed;
        int tile = tile_of(scan[p], cells, cell, packed);
        if (tile >= 0) atomicAdd(mine + tile, 1);
    }
    __syncthreads();
}

__global__ void count_by_block(int points, int cells, int cell, const int4* scan, int tiles, int* size) {
    __shared__ int mine[kMostTiles];
    const int first_point = blockIdx.x * kShare;
    tally(first_point, min(points, first_point + kShare), cells, cell, scan, tiles, mine);
    for (int tile = threadIdx.x; tile < tiles; tile += kThreads)
        if (mine[tile] > 0) atomicAdd(size + tile, mine[tile]);
}

__global__ void scatter_by_block(int points, int cells, int cell, const int4* scan, int tiles, int* position,
                                 Packed* sorted) {
    __shared__ int place[kMostTiles];
    const int first_point = blockIdx.x * kShare, end = min(points, first_point + kShare);
    tally(first_point, end, cells, cell, scan, tiles, place);
    for (int tile = threadIdx.x; tile < tiles; tile += kThreads)
        if (place[tile] > 0) place[tile] = atomicAdd(position + tile, place[tile]);
    __syncthreads();
    for (int p = first_point + threadIdx.x; p < end; p += kThreads) {
        Packed packed;
        int tile = tile_of(scan[p], cells, cell, packed);
        if (tile >= 0) sorted[atomicAdd(place + tile, 1)] = packed;
    }
}

__global__ void clear(int size, int* returns, int* top, int* echo_sum) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= size) return;
    returns[i] = 0;
    top[i] = -100000;
    echo_sum[i] = 0;
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
    for (int k = begin + blockIdx.y * kThreads + threadIdx.x; k < end; k += kSlices * kThreads) {
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
        if (row >= cells || column >= cells || tile_returns[i] == 0) continue;
        const size_t at = (size_t)row * cells + column;
        atomicAdd(returns + at, tile_returns[i]);
        atomicMax(top + at, tile_top[i]);
        atomicAdd(echo_sum + at, tile_echo[i]);
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
    const int share_blocks = (points - 1) / kShare + 1;
    if (tiles <= kMostTiles)
        count_by_block<<<share_blocks, kThreads>>>(points, cells, cell, raw, tiles, size);
    else
        count<<<point_blocks, kThreads>>>(points, cells, cell, raw, size);
    reserve<<<(tiles - 1) / kThreads + 1, kThreads>>>(tiles, size, first, position, reserved);
    if (tiles <= kMostTiles)
        scatter_by_block<<<share_blocks, kThreads>>>(points, cells, cell, raw, tiles, position, sorted);
    else
        scatter<<<point_blocks, kThreads>>>(points, cells, cell, raw, position, sorted);
    clear<<<(cells * cells - 1) / kThreads + 1, kThreads>>>(cells * cells, returns, top, echo_sum);
    accumulate<<<dim3(tiles, kSlices), kThreads>>>(cells, first, size, sorted, returns, top, echo_sum);
    cudaFree(sorted);
    cudaFree(tables);
}
