// Display window: a block for each frame finds the levels by a scan of the table.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLevels = 65536;
constexpr int kThreads = 1024;
constexpr int kEach = kLevels / kThreads;  // levels of a thread

__global__ void count_pixels(long long total, int pixels, const uint16_t* image, unsigned* table) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) atomicAdd(&table[i / pixels * kLevels + image[i]], 1u);
}

// What the threads before this one have in sum; *total is the sum of all. Called once in a kernel.
__device__ unsigned sum_before(unsigned value, unsigned* total) {
    __shared__ unsigned of_warp[kThreads / 32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, upto = value;
    for (int distance = 1; distance < 32; distance *= 2) {
        unsigned other = __shfl_up_sync(0xffffffffu, upto, distance);
        if (lane >= (unsigned)distance) upto += other;
    }
    if (lane == 31) of_warp[warp] = upto;
    __syncthreads();
    unsigned before = upto - value, sum = 0;
    for (unsigned w = 0; w < kThreads / 32; ++w) {
        if (w < warp) before += of_warp[w];
        sum += of_warp[w];
    }
    *total = sum;
    return before;
}

__global__ void find_levels(unsigned low_rank, unsigned high_rank, const unsigned* table, int32_t* low, int32_t* high) {
    const unsigned* mine = table + (size_t)blockIdx.x * kLevels + threadIdx.x * kEach;
    unsigned sum = 0, total;
    for (int level = 0; level < kEach; ++level) sum += mine[level];
    unsigned below = sum_before(sum, &total);
    if (low_rank - below >= sum && high_rank - below >= sum) return;  // unsigned: the rank may lie below, too
    for (int level = 0; level < kEach; ++level) {
        unsigned count = mine[level];
        if (low_rank - below < count) low[blockIdx.x] = threadIdx.x * kEach + level;
        if (high_rank - below < count) high[blockIdx.x] = threadIdx.x * kEach + level;
        below += count;
    }
}

extern "C" void display_window(int frames, int pixels, int low_permille, int high_permille, const uint16_t* image, int32_t* low,
                               int32_t* high) {
    long long low_rank = (long long)low_permille * (pixels - 1) / 1000, high_rank = (long long)high_permille * (pixels - 1) / 1000;
    long long total = (long long)frames * pixels;
    size_t bytes = (size_t)frames * kLevels * sizeof(unsigned);
    unsigned* table = nullptr;
    cudaMalloc(&table, bytes);
    cudaMemsetAsync(table, 0, bytes);
    count_pixels<<<(unsigned)((total + 255) / 256), 256>>>(total, pixels, image, table);
    find_levels<<<frames, kThreads>>>((unsigned)low_rank, (unsigned)high_rank, table, low, high);
    cudaFree(table);
}
