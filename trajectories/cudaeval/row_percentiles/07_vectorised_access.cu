// Percentiles: eight samples are loaded at once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

constexpr int kLevels = 7;
__constant__ int kPercent[kLevels] = {1, 5, 25, 50, 75, 95, 99};

// Which sample in ascending order level `q` of a recording is.
__device__ int target_of(int q, int n) { return (long long)(n - 1) * kPercent[q] / 100; }

// The sum over this thread and those before it in the block.
__device__ int running_sum(int value) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int lower = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += lower;
    }
    __syncthreads();  // after the use before
    if (lane == 31) part[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; ++w) value += part[w];
    return value;
}

// Calls `use` for each sample of a recording, a thread's share of them. They are loaded by eights where rows allow it.
template <bool kWide, typename Use>
__device__ void for_each(int n, const uint16_t* sample, Use use) {
    if constexpr (kWide) {
        for (int i = threadIdx.x; i < n / 8; i += kThreads) {
            const uint4 eight = ((const uint4*)sample)[i];
            const unsigned word[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                use(word[k] & 0xffff);
                use(word[k] >> 16);
            }
        }
    } else {
        for (int i = threadIdx.x; i < n; i += kThreads) use(sample[i]);
    }
}

// A block a recording, which is read twice. Every level has fine counts of its own, those that fall into one bin the same ones.
template <bool kWide>
__global__ void measure(int n, const uint16_t* sample, uint16_t* level, int32_t* spread) {
    __shared__ int coarse[256], fine[kLevels][256], counts_of[256], upper[kLevels], target[kLevels];
    sample += (long long)blockIdx.x * n;
    coarse[threadIdx.x] = 0;
    counts_of[threadIdx.x] = kLevels;
    for (int q = 0; q < kLevels; ++q) fine[q][threadIdx.x] = 0;
    __syncthreads();
    for_each<kWide>(n, sample, [&](int value) { atomicAdd(coarse + (value >> 8), 1); });
    __syncthreads();
    int own = coarse[threadIdx.x], before = running_sum(own) - own;
    spread[256ll * blockIdx.x + threadIdx.x] = own;
    for (int q = 0; q < kLevels; ++q) {
        const int rest = target_of(q, n) - before;
        if (rest >= 0 && rest < own) upper[q] = threadIdx.x, target[q] = rest, counts_of[threadIdx.x] = q;
    }
    __syncthreads();
    for_each<kWide>(n, sample, [&](int value) {
        const int q = counts_of[value >> 8];
        if (q < kLevels) atomicAdd(&fine[q][value & 255], 1);
    });
    __syncthreads();
    for (int q = 0; q < kLevels; ++q) {
        own = fine[counts_of[upper[q]]][threadIdx.x], before = running_sum(own) - own;
        if (target[q] >= before && target[q] < before + own) level[kLevels * blockIdx.x + q] = upper[q] << 8 | threadIdx.x;
    }
}

extern "C" void row_percentiles(int rows, int n, const uint16_t* sample, uint16_t* level, int32_t* spread) {
    const bool wide = n % 8 == 0 && (uintptr_t)sample % 16 == 0;
    (wide ? measure<true> : measure<false>)<<<rows, kThreads>>>(n, sample, level, spread);
}
