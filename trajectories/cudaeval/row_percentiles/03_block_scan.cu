// Percentiles: the bins of levels come from running sums of counts.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

constexpr int kLevels = 7;
__constant__ int kPercent[kLevels] = {1, 5, 25, 50, 75, 95, 99};

// Which sample in ascending order level `q` of a recording is.
__device__ int target_of(int q, int n) { return (long long)(n - 1) * kPercent[q] / 100; }

// The sum over this thread and those before it in the block.
__device__ int running_sum(int value) {
    __shared__ int sum[kThreads];
    __syncthreads();
    sum[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? sum[threadIdx.x - reach] : 0;
        __syncthreads();
        sum[threadIdx.x] = value += lower;
        __syncthreads();
    }
    return value;
}

// A block a recording; bins are looked for by all threads.
__global__ void measure(int n, const uint16_t* sample, int* fine, uint16_t* level, int32_t* spread) {
    __shared__ int upper[kLevels], target[kLevels];
    sample += (long long)blockIdx.x * n;
    fine += 256ll * blockIdx.x;
    spread += 256ll * blockIdx.x;
    spread[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) atomicAdd(spread + (sample[i] >> 8), 1);
    __syncthreads();
    int own = spread[threadIdx.x], before = running_sum(own) - own;
    for (int q = 0; q < kLevels; ++q) {
        const int rest = target_of(q, n) - before;
        if (rest >= 0 && rest < own) upper[q] = threadIdx.x, target[q] = rest;
    }
    for (int q = 0; q < kLevels; ++q) {
        fine[threadIdx.x] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += kThreads)
            if (sample[i] >> 8 == upper[q]) atomicAdd(fine + (sample[i] & 255), 1);
        __syncthreads();
        own = fine[threadIdx.x], before = running_sum(own) - own;
        if (target[q] >= before && target[q] < before + own) level[kLevels * blockIdx.x + q] = upper[q] << 8 | threadIdx.x;
        __syncthreads();
    }
}

extern "C" void row_percentiles(int rows, int n, const uint16_t* sample, uint16_t* level, int32_t* spread) {
    int* fine = nullptr;
    cudaMalloc(&fine, sizeof(int) * 256 * rows);
    measure<<<rows, kThreads>>>(n, sample, fine, level, spread);
    cudaFree(fine);
}
