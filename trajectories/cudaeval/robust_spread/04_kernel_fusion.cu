// Medians and deviations of groups: a block has a group, from its values to its deviation.
#include <cuda_runtime.h>

#include <cstdint>

// Values before this one in ascending order; equal ones stand in the order of their numbers.
__device__ int before(int x, int i, int y, int j) { return y < x || (y == x && j < i); }

constexpr int kThreads = 512, kWarps = kThreads / 32, kMost = 2048;  // values of a group

// For thread 0 only.
__device__ int64_t block_sum(int64_t sum) {
    __shared__ int64_t part[kWarps];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < kWarps; ++w) sum += part[w];
    return sum;
}

// A block has a group, whose values and deviations are in shared memory one after the other.
__global__ void describe(int width, const int32_t* value, int32_t* median, int32_t* deviation, int64_t* trimmed) {
    __shared__ int row[kMost], centre;
    const int middle = (width - 1) / 2, cut = width / 10, g = blockIdx.x;
    for (int i = threadIdx.x; i < width; i += kThreads) row[i] = value[(long long)g * width + i];
    __syncthreads();
    int64_t sum = 0;
    for (int i = threadIdx.x; i < width; i += kThreads) {
        int place = 0;
        for (int j = 0; j < width; ++j) place += before(row[i], i, row[j], j);
        if (place >= cut && place < width - cut) sum += row[i];
        if (place == middle) centre = row[i];
    }
    sum = block_sum(sum);
    __syncthreads();
    if (threadIdx.x == 0) {
        trimmed[g] = sum;
        median[g] = centre;
    }
    for (int i = threadIdx.x; i < width; i += kThreads) row[i] = abs(row[i] - centre);
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += kThreads) {
        int place = 0;
        for (int j = 0; j < width; ++j) place += before(row[i], i, row[j], j);
        if (place == middle) deviation[g] = row[i];
    }
}

extern "C" void robust_spread(int groups, int width, const int32_t* value, int32_t* median, int32_t* deviation, int64_t* trimmed) {
    describe<<<groups, kThreads>>>(width, value, median, deviation, trimmed);
}
