// Percentiles: one recording a thread; coarse counts find the upper bits of a level, fine counts the lower ones.
#include <cuda_runtime.h>

#include <cstdint>

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

__global__ void measure(int rows, int n, const uint16_t* sample, int* fine, uint16_t* level, int32_t* spread) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    sample += (long long)r * n;
    fine += 256ll * r;
    spread += 256ll * r;
    for (int b = 0; b < 256; ++b) spread[b] = 0;
    for (int i = 0; i < n; ++i) ++spread[sample[i] >> 8];
    for (int q = 0; q < kLevels; ++q) {
        int target = target_of(q, n);
        const int upper = bin_of(spread, &target);
        for (int b = 0; b < 256; ++b) fine[b] = 0;
        for (int i = 0; i < n; ++i)
            if (sample[i] >> 8 == upper) ++fine[sample[i] & 255];
        level[kLevels * r + q] = upper << 8 | bin_of(fine, &target);
    }
}

extern "C" void row_percentiles(int rows, int n, const uint16_t* sample, uint16_t* level, int32_t* spread) {
    int* fine = nullptr;
    cudaMalloc(&fine, sizeof(int) * 256 * rows);
    measure<<<(rows - 1) / 32 + 1, 32>>>(rows, n, sample, fine, level, spread);
    cudaFree(fine);
}
