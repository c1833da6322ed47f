// Difference and bit shuffle: a warp takes a group, each plane is one ballot.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void shuffle_bits(int n, const uint32_t* samples, uint32_t* planes) {
    int word = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    if ((word & ~31) >= n) return;  // the whole warp leaves
    uint32_t sample = word < n ? samples[word] : 0;
    uint32_t previous = __shfl_up_sync(0xFFFFFFFFu, sample, 1);
    uint32_t difference = lane == 0 ? sample : sample - previous;
    if (word >= n) difference = 0;

    uint32_t mine = 0;
    for (int b = 0; b < 32; ++b) {
        uint32_t plane = __ballot_sync(0xFFFFFFFFu, difference >> b & 1u);
        if (b == lane) mine = plane;
    }
    planes[word] = mine;
}

extern "C" void bitshuffle_u32(int n, const uint32_t* samples, uint32_t* planes) {
    const int threads = 256;
    int words = ((n - 1) / 32 + 1) * 32;
    shuffle_bits<<<(words - 1) / threads + 1, threads>>>(n, samples, planes);
}
