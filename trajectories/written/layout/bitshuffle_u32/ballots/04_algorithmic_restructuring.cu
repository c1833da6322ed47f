// Difference and bit shuffle: a warp transposes the 32 x 32 bit matrix in five butterfly rounds.
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

__global__ void shuffle_bits(int n, const uint32_t* samples, uint32_t* planes) {
    int word = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    if ((word & ~31) >= n) return;  // the whole warp leaves
    uint32_t sample = word < n ? samples[word] : 0;
    uint32_t previous = __shfl_up_sync(0xFFFFFFFFu, sample, 1);
    uint32_t difference = lane == 0 ? sample : sample - previous;
    if (word >= n) difference = 0;
    planes[word] = transposed_bits(difference, lane);
}

extern "C" void bitshuffle_u32(int n, const uint32_t* samples, uint32_t* planes) {
    const int threads = 256;
    int words = ((n - 1) / 32 + 1) * 32;
    shuffle_bits<<<(words - 1) / threads + 1, threads>>>(n, samples, planes);
}
