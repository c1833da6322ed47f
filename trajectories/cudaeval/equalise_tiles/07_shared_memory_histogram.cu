// Equalisation of tiles: several copies of the histogram a block, because few levels hold most pixels.
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

constexpr int kCopies = 8;  // of the histogram, for lanes apart: neighbouring pixels are alike
constexpr int kRun = kPixels / kLevels;  // pixels side by side that a thread takes: 16 bytes

// Where `kWide` is set, both images begin at a multiple of 16 bytes.
template <bool kWide>
__device__ void load_run(const uint8_t* from, uint8_t* pixel) {
    if (kWide) {
        *(uint4*)pixel = *(const uint4*)from;
    } else {
        for (int p = 0; p < kRun; ++p) pixel[p] = from[p];
    }
}

template <bool kWide>
__device__ void store_run(uint8_t* to, const uint8_t* pixel) {
    if (kWide) {
        *(uint4*)to = *(const uint4*)pixel;
    } else {
        for (int p = 0; p < kRun; ++p) to[p] = pixel[p];
    }
}

template <bool kWide>
__global__ void __launch_bounds__(kLevels) equalise(int tile_cols, int limit, const uint8_t* __restrict__ image,
                                                    uint8_t* __restrict__ equalised) {
    __shared__ int histogram[kLevels * kCopies], work[2][kLevels / 32], excess;
    __shared__ uint8_t curve[kLevels];
    const int b = threadIdx.x, tile = blockIdx.x;
    const long long pitch = (long long)kSide * tile_cols, corner = tile / tile_cols * kSide * pitch + tile % tile_cols * kSide;
    const long long first = corner + b * kRun / kSide * pitch + b * kRun % kSide;
    alignas(16) uint8_t pixel[kRun];
    for (int copy = 0; copy < kCopies; ++copy) histogram[copy * kLevels + b] = 0;
    __syncthreads();
    int* mine = histogram + b % kCopies;
    load_run<kWide>(image + first, pixel);
#pragma unroll
    for (int p = 0; p < kRun; ++p) atomicAdd(mine + pixel[p] * kCopies, 1);
    __syncthreads();
    int count = 0;
    for (int copy = 0; copy < kCopies; ++copy) count += histogram[b * kCopies + (b + copy) % kCopies];
    curve[b] = curve_of(count, limit, work, &excess);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kRun; ++p) pixel[p] = curve[pixel[p]];
    store_run<kWide>(equalised + first, pixel);
}

extern "C" void equalise_tiles(int tile_rows, int tile_cols, int limit, const uint8_t* image, uint8_t* equalised) {
    if (((uintptr_t)image | (uintptr_t)equalised) % 16 == 0)
        equalise<true><<<tile_rows * tile_cols, kLevels>>>(tile_cols, limit, image, equalised);
    else
        equalise<false><<<tile_rows * tile_cols, kLevels>>>(tile_cols, limit, image, equalised);
}
