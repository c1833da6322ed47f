// Equalisation of tiles: one tile a block, whose warps add up the histogram in registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSide = 64, kPixels = kSide * kSide, kLevels = 256;

// The sum of the values of all threads before and with this one; `work` has one value a warp.
__device__ int running_sum(int value, int* work) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += before;
    }
    if (lane == 31) work[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; ++w) value += work[w];
    return value;
}

// What level `threadIdx.x` becomes, where `count` pixels have it.
__device__ uint8_t curve_of(int count, int limit, int (*work)[kLevels / 32], int* excess) {
    const int cut = max(count - limit, 0), so_far = running_sum(cut, work[0]);
    if (threadIdx.x == kLevels - 1) *excess = so_far;
    __syncthreads();
    const int dealt = *excess / kLevels + ((int)threadIdx.x < *excess % kLevels ? 1 : 0);
    const int sum = running_sum(count - cut + dealt, work[1]);
    return (uint8_t)((255 * sum + kPixels / 2) / kPixels);
}

__global__ void equalise(int tile_cols, int limit, const uint8_t* image, uint8_t* equalised) {
    __shared__ int histogram[kLevels], work[2][kLevels / 32], excess;
    __shared__ uint8_t curve[kLevels];
    const int b = threadIdx.x, tile = blockIdx.x;
    const long long pitch = (long long)kSide * tile_cols, corner = tile / tile_cols * kSide * pitch + tile % tile_cols * kSide;
    histogram[b] = 0;
    __syncthreads();
    for (int p = b; p < kPixels; p += kLevels) atomicAdd(histogram + image[corner + p / kSide * pitch + p % kSide], 1);
    __syncthreads();
    curve[b] = curve_of(histogram[b], limit, work, &excess);
    __syncthreads();
    for (int p = b; p < kPixels; p += kLevels) {
        const long long at = corner + p / kSide * pitch + p % kSide;
        equalised[at] = curve[image[at]];
    }
}

extern "C" void equalise_tiles(int tile_rows, int tile_cols, int limit, const uint8_t* image, uint8_t* equalised) {
    equalise<<<tile_rows * tile_cols, kLevels>>>(tile_cols, limit, image, equalised);
}
