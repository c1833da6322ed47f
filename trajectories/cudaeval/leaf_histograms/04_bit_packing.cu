// Gradient histograms: sum and count of a cell share a word, so that a value needs one atomic update.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

struct Cell {
    int sum, count;
};

constexpr int kThreads = 512, kGroup = 4, kMostLeaves = 8;
constexpr unsigned kOne = 1u << 20, kBias = 128;  // a count of up to 2048 above a sum of up to 2048 * 255

__global__ void collect(int stretch, int samples, int features, int leaves, const uint8_t* bin, const int8_t* gradient, const uint8_t* leaf,
                        Cell* histogram) {
    __shared__ unsigned part[kMostLeaves * kGroup * 32];
    const int cells = leaves * kGroup * 32, first = blockIdx.y * kGroup, own = min(kGroup, features - first);
    for (int c = threadIdx.x; c < cells; c += kThreads) part[c] = 0;
    __syncthreads();
    const int begin = blockIdx.x * stretch, end = min(samples, begin + stretch);
    const int f = threadIdx.x % kGroup;
    for (int r = begin + threadIdx.x / kGroup; r < end; r += kThreads / kGroup) {
        if (leaf[r] >= leaves || f >= own) continue;
        atomicAdd(part + (leaf[r] * kGroup + f) * 32 + bin[(long long)r * features + first + f], kOne + kBias + gradient[r]);
    }
    __syncthreads();
    for (int c = threadIdx.x; c < cells; c += kThreads) {
        const int l = c / (kGroup * 32), g = c / 32 % kGroup, count = (int)(part[c] / kOne);
        if (count == 0) continue;
        Cell* whole = histogram + (l * features + first + g) * 32 + c % 32;
        atomicAdd(&whole->sum, (int)(part[c] % kOne) - (int)kBias * count);
        atomicAdd(&whole->count, count);
    }
}

// Samples a block: as many as leave 4 blocks for each of 132 processors, within limits.
static int stretch_of(int samples, int groups) {
    return std::clamp((int)((long long)samples * groups / (132 * 4)), 1024, 2048);
}

extern "C" void leaf_histograms(int samples, int features, int leaves, const uint8_t* bin, const int8_t* gradient, const uint8_t* leaf,
                                Cell* histogram) {
    cudaMemsetAsync(histogram, 0, sizeof(Cell) * leaves * features * 32);
    const int groups = (features - 1) / kGroup + 1;
    const int stretch = stretch_of(samples, groups);
    const dim3 grid((samples - 1) / stretch + 1, groups);
    collect<<<grid, kThreads>>>(stretch, samples, features, leaves, bin, gradient, leaf, histogram);
}
