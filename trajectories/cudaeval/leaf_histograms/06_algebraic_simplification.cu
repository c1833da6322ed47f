// Gradient histograms: values in bin 0, about half of them, are not counted; that bin is what the others leave of the leaf's total.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

struct Cell {
    int sum, count;
};

constexpr int kThreads = 512, kGroup = 4, kMostLeaves = 8;
constexpr unsigned kOne = 1u << 20, kBias = 128;  // a count of up to 2048 above a sum of up to 2048 * 255

template <bool kWide>
__global__ void collect(int stretch, int samples, int features, int leaves, const uint8_t* __restrict__ bin,
                        const int8_t* __restrict__ gradient, const uint8_t* __restrict__ leaf, Cell* __restrict__ histogram) {
    __shared__ unsigned part[kMostLeaves * kGroup * 32], total[kMostLeaves];
    const int cells = leaves * kGroup * 32, first = blockIdx.y * kGroup, own = min(kGroup, features - first);
    for (int c = threadIdx.x; c < cells; c += kThreads) part[c] = 0;
    if (threadIdx.x < kMostLeaves) total[threadIdx.x] = 0;
    __syncthreads();
    const int begin = blockIdx.x * stretch, end = min(samples, begin + stretch);
    for (int r = begin + threadIdx.x; r < end; r += kThreads) {
        const int l = leaf[r];
        if (l >= leaves) continue;
        const unsigned update = kOne + kBias + gradient[r];
        atomicAdd(total + l, update);
        unsigned* mine = part + l * kGroup * 32;
        const uint8_t* value = bin + (long long)r * features + first;
        if (kWide) {
            const unsigned four = *(const unsigned*)value;
            for (int f = 0; f < kGroup; ++f) {
                const unsigned b = four >> 8 * f & 255;
                if (b != 0) atomicAdd(mine + 32 * f + b, update);
            }
        } else {
            for (int f = 0; f < own; ++f)
                if (value[f] != 0) atomicAdd(mine + f * 32 + value[f], update);
        }
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;  // a warp looks at the bins of a leaf and a feature, a lane at one of them
    for (int c = threadIdx.x; c < cells; c += kThreads) {
        const int l = c / (kGroup * 32), g = c / 32 % kGroup;
        const unsigned counted = __reduce_add_sync(0xffffffffu, lane == 0 ? 0u : part[c]);
        const unsigned both = lane == 0 ? total[l] - counted : part[c];
        const int count = (int)(both / kOne);
        if (count == 0 || g >= own) continue;
        Cell* whole = histogram + (l * features + first + g) * 32 + lane;
        atomicAdd(&whole->sum, (int)(both % kOne) - (int)kBias * count);
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
    if (features % 4 == 0 && (uintptr_t)bin % 4 == 0)
        collect<true><<<grid, kThreads>>>(stretch, samples, features, leaves, bin, gradient, leaf, histogram);
    else
        collect<false><<<grid, kThreads>>>(stretch, samples, features, leaves, bin, gradient, leaf, histogram);
}
