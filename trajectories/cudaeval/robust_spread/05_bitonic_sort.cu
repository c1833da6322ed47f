// Medians and deviations of groups: groups are sorted, by their values and by their deviations.
#include <cuda_runtime.h>

#include <cstdint>

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

// Sorts 2^n values ascending, by a bitonic network.
__device__ void sort(int* list, int size) {
    for (int width = 2; width <= size; width *= 2) {
        for (int apart = width / 2; apart > 0; apart /= 2) {
            for (int p = threadIdx.x; p < size / 2; p += kThreads) {
                const int i = 2 * p - (p & (apart - 1)), j = i + apart;
                const int a = list[i], b = list[j];
                if ((a > b) == ((i & width) == 0)) {
                    list[i] = b;
                    list[j] = a;
                }
            }
            __syncthreads();
        }
    }
}

// A block has a group and sorts it in shared memory.
__global__ void describe(int width, const int32_t* value, int32_t* median, int32_t* deviation, int64_t* trimmed) {
    __shared__ int row[kMost];
    const int middle = (width - 1) / 2, cut = width / 10, g = blockIdx.x;
    int size = 1;
    while (size < width) size *= 2;
    for (int i = threadIdx.x; i < size; i += kThreads) row[i] = i < width ? value[(long long)g * width + i] : 0x7fffffff;
    __syncthreads();
    sort(row, size);
    int64_t sum = 0;
    for (int i = cut + threadIdx.x; i < width - cut; i += kThreads) sum += row[i];
    sum = block_sum(sum);
    const int centre = row[middle];
    if (threadIdx.x == 0) {
        trimmed[g] = sum;
        median[g] = centre;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += kThreads) row[i] = abs(row[i] - centre);
    __syncthreads();
    sort(row, size);
    if (threadIdx.x == 0) deviation[g] = row[middle];
}

extern "C" void robust_spread(int groups, int width, const int32_t* value, int32_t* median, int32_t* deviation, int64_t* trimmed) {
    describe<<<groups, kThreads>>>(width, value, median, deviation, trimmed);
}
