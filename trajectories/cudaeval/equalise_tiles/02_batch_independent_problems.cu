// Equalisation of tiles: one tile a block, with its histogram in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSide = 64, kPixels = kSide * kSide, kLevels = 256;

__global__ void equalise(int tile_cols, int limit, const uint8_t* image, uint8_t* equalised) {
    __shared__ int histogram[kLevels];
    __shared__ uint8_t curve[kLevels];
    const int b = threadIdx.x, tile = blockIdx.x;
    const long long pitch = (long long)kSide * tile_cols, corner = tile / tile_cols * kSide * pitch + tile % tile_cols * kSide;
    histogram[b] = 0;
    __syncthreads();
    for (int p = b; p < kPixels; p += kLevels) atomicAdd(histogram + image[corner + p / kSide * pitch + p % kSide], 1);
    __syncthreads();
    if (b == 0) {
        int excess = 0;
        for (int level = 0; level < kLevels; ++level) {
            if (histogram[level] <= limit) continue;
            excess += histogram[level] - limit;
            histogram[level] = limit;
        }
        int sum = 0;
        for (int level = 0; level < kLevels; ++level) {
            sum += histogram[level] + excess / kLevels + (level < excess % kLevels ? 1 : 0);
            curve[level] = (uint8_t)((255 * sum + kPixels / 2) / kPixels);
        }
    }
    __syncthreads();
    for (int p = b; p < kPixels; p += kLevels) {
        const long long at = corner + p / kSide * pitch + p % kSide;
        equalised[at] = curve[image[at]];
    }
}

extern "C" void equalise_tiles(int tile_rows, int tile_cols, int limit, const uint8_t* image, uint8_t* equalised) {
    equalise<<<tile_rows * tile_cols, kLevels>>>(tile_cols, limit, image, equalised);
}
