// Equalisation of tiles: one tile a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSide = 64, kPixels = kSide * kSide, kLevels = 256;

__global__ void equalise(int tiles, int tile_cols, int limit, const uint8_t* image, uint8_t* equalised) {
    const int tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile >= tiles) return;
    const long long pitch = (long long)kSide * tile_cols, corner = tile / tile_cols * kSide * pitch + tile % tile_cols * kSide;
    int histogram[kLevels];
    for (int level = 0; level < kLevels; ++level) histogram[level] = 0;
    for (int p = 0; p < kPixels; ++p) ++histogram[image[corner + p / kSide * pitch + p % kSide]];
    int excess = 0;
    for (int level = 0; level < kLevels; ++level) {
        if (histogram[level] <= limit) continue;
        excess += histogram[level] - limit;
        histogram[level] = limit;
    }
    uint8_t curve[kLevels];
    int sum = 0;
    for (int level = 0; level < kLevels; ++level) {
        sum += histogram[level] + excess / kLevels + (level < excess % kLevels ? 1 : 0);
        curve[level] = (uint8_t)((255 * sum + kPixels / 2) / kPixels);
    }
    for (int p = 0; p < kPixels; ++p) {
        const long long at = corner + p / kSide * pitch + p % kSide;
        equalised[at] = curve[image[at]];
    }
}

extern "C" void equalise_tiles(int tile_rows, int tile_cols, int limit, const uint8_t* image, uint8_t* equalised) {
    const int tiles = tile_rows * tile_cols;
    equalise<<<(tiles - 1) / 64 + 1, 64>>>(tiles, tile_cols, limit, image, equalised);
}
