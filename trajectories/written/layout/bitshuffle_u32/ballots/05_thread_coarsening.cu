// Difference and bit shuffle: a warp transposes four groups at once, their butterfly rounds interleaved.
#include <cuda_runtime.h>

#include <cstdint>

// Lane j's word is row j; afterwards lane b holds column b, row j at bit j.
__device__ uint32_t transposed_bits(uint32_t row, int lane) {
    uint32_t low_mask = 0x0000FFFFu;  // the columns whose index lacks the bit `distance`
#pragma unroll
    for (int distance = 16; distance > 0; distance >>= 1) {
        uint32_t other = __shfl_xor_sync(0xFFFFFFFFu, row, distance);
        if (lane & distance)
            row = (row & ~low_mask) | (other & ~low_mask) >> distance;
        else
            row = (row & low_mask) | (other & low_mask) << distance;
        low_mask ^= low_mask << (distance >> 1);
    }
    return row;
}

constexpr int kThreads = 256;
constexpr int kGroups = 4;  // groups per warp

__global__ void shuffle_bits(int n, int words, const uint32_t* samples, uint32_t* planes) {
    const int lane = threadIdx.x & 31;
    const int first = (blockIdx.x * kThreads + threadIdx.x - lane) * kGroups;  // first sample of the warp
    uint32_t sample[kGroups];
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
        int word = first + 32 * g + lane;
        sample[g] = word < n ? samples[word] : 0;
    }
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
        int word = first + 32 * g + lane;
        uint32_t previous = __shfl_up_sync(0xFFFFFFFFu, sample[g], 1);
        uint32_t difference = lane == 0 ? sample[g] : sample[g] - previous;
        if (word >= n) difference = 0;
        sample[g] = transposed_bits(difference, lane);
    }
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
        int word = first + 32 * g + lane;
        if (word < words) planes[word] = sample[g];
    }
}

extern "C" void bitshuffle_u32(int n, const uint32_t* samples, uint32_t* planes) {
    int words = ((n - 1) / 32 + 1) * 32;
    int blocks = (words - 1) / (kThreads * kGroups) + 1;
    shuffle_bits<<<blocks, kThreads>>>(n, words, samples, planes);
}
