// Adaptive equalisation: a block counts one tile in shared memory, one of its threads equalises it.
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
    if (threadIdx.x != 0) return;
    const int area = (bottom - top) * (right - left), limit = max(1, clip * area / kLevels);
    int excess = 0, sum = 0;
    for (int v = 0; v < kLevels; ++v) excess += max(counted[v] - limit, 0);
    for (int v = 0; v < kLevels; ++v) {
        sum += min(counted[v], limit) + excess / kLevels + (v < excess % kLevels);
        maps[(size_t)tile * kLevels + v] = 255 * sum / area;
    }
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
