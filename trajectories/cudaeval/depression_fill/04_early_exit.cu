// Filling pits: a tile rests when neither it nor a neighbour changed in the round before. Both surfaces then agree on it already.
#include <cuda_runtime.h>

#include <utility>

constexpr int kFlood = 1 << 30;

__global__ void flood(int rows, int cols, const short* height, int* level) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    bool rim = x == 0 || y == 0 || x == cols - 1 || y == rows - 1;
    level[(long long)y * cols + x] = rim ? height[(long long)y * cols + x] : kFlood;
}

constexpr int kTile = 32, kRowsY = 8, kInner = 32;

// A tile of the surface and the rim around it drain in shared memory, until nothing sinks or `kInner` rounds are over.
// Tells whether the tile changed.
__device__ bool drain_tile(int rows, int cols, int left, int top, const short* __restrict__ height, const int* level, int* next) {
    __shared__ int surface[2][kTile + 2][kTile + 2];
    int tx = threadIdx.x, x = left + tx, ground[kTile / kRowsY], first[kTile / kRowsY];
    for (int i = threadIdx.y * kTile + tx; i < (kTile + 2) * (kTile + 2); i += kTile * kRowsY) {
        int sy = i / (kTile + 2), sx = i % (kTile + 2), gy = top + sy - 1, gx = left + sx - 1;
        bool inside = gy >= 0 && gy < rows && gx >= 0 && gx < cols;
        int value = inside ? level[(long long)gy * cols + gx] : kFlood;
        surface[0][sy][sx] = value;
        surface[1][sy][sx] = value;
    }
#pragma unroll
    for (int k = 0; k < kTile / kRowsY; ++k) {
        int y = top + threadIdx.y + k * kRowsY;
        bool inner = x > 0 && y > 0 && x < cols - 1 && y < rows - 1;
        ground[k] = inner ? height[(long long)y * cols + x] : kFlood;  // cells of the rim never sink
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile / kRowsY; ++k) first[k] = surface[0][threadIdx.y + k * kRowsY + 1][tx + 1];
    int now = 0;
    for (int round = 0; round < kInner; ++round, now = 1 - now) {
        int sank = 0;
#pragma unroll
        for (int k = 0; k < kTile / kRowsY; ++k) {
            int ty = threadIdx.y + k * kRowsY + 1, lowest = kFlood, before = surface[now][ty][tx + 1];
            for (int dy = -1; dy <= 1; ++dy)
                lowest = min(lowest, min(min(surface[now][ty + dy][tx], surface[now][ty + dy][tx + 1]), surface[now][ty + dy][tx + 2]));
            int after = min(before, max(ground[k], lowest));
            surface[1 - now][ty][tx + 1] = after;
            sank |= after != before;
        }
        if (!__syncthreads_or(sank)) break;  // both surfaces are equal then
    }
    bool changed = false;
#pragma unroll
    for (int k = 0; k < kTile / kRowsY; ++k) {
        int ty = threadIdx.y + k * kRowsY, y = top + ty;
        if (x >= cols || y >= rows) continue;
        int value = surface[now][ty + 1][tx + 1];
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

__global__ void __launch_bounds__(kTile * kRowsY)
    drain(int rows, int cols, const short* height, const int* level, int* next, const unsigned char* before, unsigned char* after,
          int* sinking) {
    int tile = blockIdx.y * gridDim.x + blockIdx.x;
    bool first = threadIdx.x == 0 && threadIdx.y == 0;
    bool changed = is_active(before, blockIdx.x, blockIdx.y, gridDim.x, gridDim.y) &&
                   drain_tile(rows, cols, blockIdx.x * kTile, blockIdx.y * kTile, height, level, next);
    if (first) after[tile] = changed;
    if (first && changed) *sinking = 1;
}

extern "C" void depression_fill(int rows, int cols, const short* height, int* level) {
    if (rows <= 0 || cols <= 0) return;
    dim3 block(kTile, kRowsY), grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    size_t cells = (size_t)rows * cols, tiles = (size_t)grid.x * grid.y;
    int *other = nullptr, *sinking = nullptr;
    cudaMalloc(&other, (cells + 1) * sizeof(int) + 2 * tiles);
    sinking = other + cells;
    unsigned char *before = reinterpret_cast<unsigned char*>(sinking + 1), *after = before + tiles;
    cudaMemsetAsync(before, 1, tiles);
    flood<<<dim3(grid.x, (rows + kRowsY - 1) / kRowsY), block>>>(rows, cols, height, level);
    for (int more = 1; more;) {
        cudaMemsetAsync(sinking, 0, sizeof(int));
        for (int round = 0; round < 4; round += 2) {
            drain<<<grid, block>>>(rows, cols, height, level, other, before, after, sinking);
            drain<<<grid, block>>>(rows, cols, height, other, level, after, before, sinking);
        }
        cudaMemcpy(&more, sinking, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(other);
}
