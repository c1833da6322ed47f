// Difference and bit shuffle: groups pass through a padded shared tile, bit matrices are transposed in registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;  // and groups per block
constexpr int kPitch = 33;     // words a group takes in shared memory: lanes in one column use different banks

// Word j is row j; afterwards word b is column b, row j at bit j.
__device__ void transpose_bits(uint32_t (&row)[32]) {
    uint32_t low_mask = 0x0000FFFFu;
#pragma unroll
    for (int distance = 16; distance > 0; distance >>= 1) {
#pragma unroll
        for (int k = 0; k < 32; ++k) {
            if (k & distance) continue;
            uint32_t moved = (row[k] >> distance ^ row[k + distance]) & low_mask;
            row[k + distance] ^= moved;
            row[k] ^= moved << distance;
        }
        low_mask ^= low_mask << (distance >> 1);
    }
}

__global__ void shuffle_bits(int n, int words, const uint32_t* samples, uint32_t* planes) {
    __shared__ uint32_t tile[kThreads * kPitch];
    const int first = blockIdx.x * kThreads * 32;  // first sample of the block
    const int lane = threadIdx.x & 31;
    for (int g = threadIdx.x / 32; g < kThreads; g += kThreads / 32) {
        int i = first + 32 * g + lane;
        uint32_t sample = i < n ? samples[i] : 0;
        uint32_t previous = __shfl_up_sync(0xFFFFFFFFu, sample, 1);
        tile[g * kPitch + lane] = i >= n ? 0 : lane == 0 ? sample : sample - previous;
    }
    __syncthreads();

    uint32_t row[32];
    uint32_t* mine = tile + threadIdx.x * kPitch;
#pragma unroll
    for (int j = 0; j < 32; ++j) row[j] = mine[j];
    transpose_bits(row);
#pragma unroll
    for (int b = 0; b < 32; ++b) mine[b] = row[b];
    __syncthreads();

    for (int g = threadIdx.x / 32; g < kThreads; g += kThreads / 32) {
        int i = first + 32 * g + lane;
        if (i < words) planes[i] = tile[g * kPitch + lane];
    }
}

extern "C" void bitshuffle_u32(int n, const uint32_t* samples, uint32_t* planes) {
    int groups = (n - 1) / 32 + 1;
    shuffle_bits<<<(groups - 1) / kThreads + 1, kThreads>>>(n, groups * 32, samples, planes);
}
