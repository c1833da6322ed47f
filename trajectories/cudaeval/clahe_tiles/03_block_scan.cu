// Adaptive equalisation: a block counts one tile in shared memory; a thread has one level, excess and running sum are found by shuffles.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 64;
constexpr int kLevels = 256;
constexpr int kThreads = 256;

struct Corners {
    int low, high, weight;
};

__device__ Corners corners_of(int position, int tiles) {
    const int from_centre = 2 * position + 1 - kTile;
    const int tile = from_centre >> 7;
    return {max(tile, 0), min(tile + 1, tiles - 1), from_centre - 2 * kTile * tile};
}

// The sum of the values of the threads up to this one; *total gets that of all.
__device__ int scan_block(int value, int* total) {
    __shared__ int warp_sum[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(~0u, value, step);
        if (lane >= step) value += before;
    }
    if (lane == 31) warp_sum[warp] = value;
    __syncthreads();
    int all = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w < warp) value += warp_sum[w];
        all += warp_sum[w];
    }
    *total = all;
    __syncthreads();
    return value;
}

__global__ void make_maps(int height, int width, int clip, const uint8_t* pixel, uint8_t* maps, int columns) {
    __shared__ int counted[kLevels];
    const int tile = blockIdx.x;
    const int top = tile / columns * kTile, left = tile % columns * kTile;
    const int bottom = min(top + kTile, height), right = min(left + kTile, width);
    counted[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
        const int y = top + i / kTile, x = left + i % kTile;
        if (y < bottom && x < right) atomicAdd(&counted[pixel[(size_t)y * width + x]], 1);
    }
    __syncthreads();
    const int area = (bottom - top) * (right - left), limit = max(1, clip * area / kLevels);
    const int level = threadIdx.x, count = counted[level];
    int last;
    scan_block(max(count - limit, 0), &last);
    const int excess = last;
    const int sum = scan_block(min(count, limit) + excess / kLevels + (level < excess % kLevels), &last);
    maps[(size_t)tile * kLevels + level] = 255 * sum / area;
}

__global__ void apply(int height, int width, const uint8_t* pixel, const uint8_t* maps, int rows, int columns, uint8_t* out) {
    const size_t at = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (at >= (size_t)height * width) return;
    const Corners v = corners_of(at / width, rows), h = corners_of(at % width, columns);
    const uint8_t* level = maps + pixel[at];
    const int m00 = level[(v.low * columns + h.low) * kLevels], m01 = level[(v.low * columns + h.high) * kLevels];
    const int m10 = level[(v.high * columns + h.low) * kLevels], m11 = level[(v.high * columns + h.high) * kLevels];
    const int upper = m00 * (128 - h.weight) + m01 * h.weight, lower = m10 * (128 - h.weight) + m11 * h.weight;
    out[at] = (upper * (128 - v.weight) + lower * v.weight + 8192) >> 14;
}

extern "C" void clahe_tiles(int height, int width, int clip, const uint8_t* pixel, uint8_t* out) {
    const int rows = (height - 1) / kTile + 1, columns = (width - 1) / kTile + 1, tiles = rows * columns;
    uint8_t* maps = nullptr;
    cudaMalloc(&maps, (size_t)tiles * kLevels);
    make_maps<<<tiles, kThreads>>>(height, width, clip, pixel, maps, columns);
    const int blocks = (int)(((size_t)height * width - 1) / kThreads + 1);
    apply<<<blocks, kThreads>>>(height, width, pixel, maps, rows, columns, out);
    cudaFree(maps);
}
