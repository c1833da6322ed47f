// Filling pits: all rounds in one launch with a barrier of the whole grid between them; the host no longer waits and asks.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <utility>

namespace cg = cooperative_groups;

constexpr int kFlood = 1 << 30;

constexpr int kTile = 32, kRowsY = 8, kEach = kTile / kRowsY, kInner = 32;

// A tile of the surface and the rim around it drain in shared memory, until nothing sinks or `kInner` rounds are over. A thread has four
// cells of a column: each row's lowest of three is found once and serves three of them. Tells whether the tile changed.
__device__ bool drain_tile(int rows, int cols, int left, int top, const short* __restrict__ height, const int* level, int* next) {
    __shared__ int surface[2][kTile + 2][kTile + 2];
    int tx = threadIdx.x, x = left + tx, own = threadIdx.y * kEach, ground[kEach], first[kEach];
    for (int i = threadIdx.y * kTile + tx; i < (kTile + 2) * (kTile + 2); i += kTile * kRowsY) {
        int sy = i / (kTile + 2), sx = i % (kTile + 2), gy = top + sy - 1, gx = left + sx - 1;
        bool inside = gy >= 0 && gy < rows && gx >= 0 && gx < cols;
        int value = inside ? level[(long long)gy * cols + gx] : kFlood;
        surface[0][sy][sx] = value;
        surface[1][sy][sx] = value;
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        int y = top + own + k;
        bool inner = x > 0 && y > 0 && x < cols - 1 && y < rows - 1;
        ground[k] = inner ? height[(long long)y * cols + x] : kFlood;  // cells of the rim never sink
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kEach; ++k) first[k] = surface[0][own + k + 1][tx + 1];
    int now = 0;
    for (int round = 0; round < kInner; ++round, now = 1 - now) {
        const int (*from)[kTile + 2] = surface[now];
        int sank = 0, upper = min(min(from[own][tx], from[own][tx + 1]), from[own][tx + 2]);
        int here = from[own + 1][tx + 1], middle = min(min(from[own + 1][tx], here), from[own + 1][tx + 2]);
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            int below = from[own + k + 2][tx + 1], lower = min(min(from[own + k + 2][tx], below), from[own + k + 2][tx + 2]);
            int after = min(here, max(ground[k], min(min(upper, middle), lower)));
            surface[1 - now][own + k + 1][tx + 1] = after;
            sank |= after != here;
            here = below;
            upper = middle;
            middle = lower;
        }
        if (!__syncthreads_or(sank)) break;  // both surfaces are equal then
    }
    bool changed = false;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        int y = top + own + k;
        if (x >= cols || y >= rows) continue;
        int value = surface[now][own + k + 1][tx + 1];
        next[(long long)y * cols + x] = value;
        changed |= value != first[k];
    }
    return __syncthreads_or(changed);
}

// Whether this tile or one of its eight neighbours changed in the round before.
__device__ bool is_active(const unsigned char* changed, int x, int y, int tiles_x, int tiles_y) {
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            int tx = x + dx, ty = y + dy;
            if (tx >= 0 && ty >= 0 && tx < tiles_x && ty < tiles_y && changed[ty * tiles_x + tx]) return true;
        }
    }
    return false;
}

// The whole work in one launch: blocks take tiles in turn, and the grid waits between rounds. Counters of three rounds take turns, so that
// one can be cleared while the one before is still read.
__global__ void __launch_bounds__(kTile * kRowsY)
    fill(int rows, int cols, int tiles_x, int tiles_y, const short* height, int* level, int* other, unsigned char* before,
         unsigned char* after, int* sinking) {
    cg::grid_group grid = cg::this_grid();
    bool leader = threadIdx.x == 0 && threadIdx.y == 0;
    int tiles = tiles_x * tiles_y;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int x = tile % tiles_x * kTile + threadIdx.x;
        for (int ty = threadIdx.y; ty < kTile; ty += kRowsY) {
            int y = tile / tiles_x * kTile + ty;
            if (x >= cols || y >= rows) continue;
            bool rim = x == 0 || y == 0 || x == cols - 1 || y == rows - 1;
            level[(long long)y * cols + x] = rim ? height[(long long)y * cols + x] : kFlood;
        }
        if (leader) before[tile] = 1;
    }
    if (blockIdx.x == 0 && leader) sinking[0] = sinking[1] = sinking[2] = 0;
    grid.sync();
    const int* now = level;
    int* next = other;
    for (int round = 0;; ++round) {
        if (blockIdx.x == 0 && leader) sinking[(round + 1) % 3] = 0;
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            int x = tile % tiles_x, y = tile / tiles_x;
            __syncthreads();  // the shared surface of the tile before is done with
            bool changed = is_active(before, x, y, tiles_x, tiles_y) && drain_tile(rows, cols, x * kTile, y * kTile, height, now, next);
            if (leader) after[tile] = changed;
            if (leader && changed) atomicExch(&sinking[round % 3], 1);
        }
        grid.sync();
        if (sinking[round % 3] == 0) break;  // the surfaces agree
        now = next;
        next = next == other ? level : other;
        unsigned char* swap = before;
        before = after;
        after = swap;
    }
}

extern "C" void depression_fill(int rows, int cols, const short* height, int* level) {
    if (rows <= 0 || cols <= 0) return;
    int tiles_x = (cols + kTile - 1) / kTile, tiles_y = (rows + kTile - 1) / kTile, device = 0, processors = 0, resident = 0;
    size_t cells = (size_t)rows * cols, tiles = (size_t)tiles_x * tiles_y;
    int* other = nullptr;
    cudaMalloc(&other, (cells + 3) * sizeof(int) + 2 * tiles);
    int* sinking = other + cells;
    unsigned char *before = reinterpret_cast<unsigned char*>(sinking + 3), *after = before + tiles;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, fill, kTile * kRowsY, 0);
    int blocks = (int)(tiles < (size_t)processors * resident ? tiles : (size_t)processors * resident);
    void* args[] = {&rows, &cols, &tiles_x, &tiles_y, &height, &level, &other, &before, &after, &sinking};
    cudaLaunchCooperativeKernel((void*)fill, dim3(blocks), dim3(kTile, kRowsY), args, 0, 0);
    cudaFree(other);
}
