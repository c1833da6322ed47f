// Percentiles: one recording a block, whose threads count.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

constexpr int kLevels = 7;
__constant__ int kPercent[kLevels] = {1, 5, 25, 50, 75, 95, 99};

// Which sample in ascending order level `q` of a recording is.
__device__ int target_of(int q, int n) { return (long long)(n - 1) * kPercent[q] / 100; }

// The bin of 256 that holds element `target` of all that were counted; `target` becomes its number in that bin.
__device__ int bin_of(const int* count, int* target) {
    int bin = 0;
    while (*target >= count[bin]) *target -= count[bin++];
    return bin;
}

// A block a recording; its first thread looks for bins.
__global__ void measure(int n, const uint16_t* sample, int* fine, uint16_t* level, int32_t* spread) {
    __shared__ int upper, target;
    sample += (long long)blockIdx.x * n;
    fine += 256ll * blockIdx.x;
    spread += 256ll * blockIdx.x;
    spread[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) atomicAdd(spread + (sample[i] >> 8), 1);
    for (int q = 0; q < kLevels; ++q) {
        fine[threadIdx.x] = 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            target = target_of(q, n);
            upper = bin_of(spread, &target);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += kThreads)
            if (sample[i] >> 8 == upper) atomicAdd(fine + (sample[i] & 255), 1);
        __syncthreads();
        if (threadIdx.x == 0) level[kLevels * blockIdx.x + q] = upper << 8 | bin_of(fine, &target);
        __syncthreads();
    }
}

extern "C" void row_percentiles(int rows, int n, const uint16_t* sample, uint16_t* level, int32_t* spread) {
    int* fine = nullptr;
    cudaMalloc(&fine, sizeof(int) * 256 * rows);
    measure<<<rows, kThreads>>>(n, sample, fine, level, spread);
    cudaFree(fine);
}
