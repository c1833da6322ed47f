// Difference and bit shuffle: one thread per group of 32 samples, planes in a local array.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void shuffle_bits(int n, const uint32_t* samples, uint32_t* planes) {
    int base = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
    if (base >= n) return;
    uint32_t plane[32];
    for (int b = 0; b < 32; ++b) plane[b] = 0;
    uint32_t previous = 0;
    for (int j = 0; j < 32 && base + j < n; ++j) {
        uint32_t sample = samples[base + j];
        uint32_t difference = sample - previous;
        previous = sample;
        for (int b = 0; difference != 0; ++b, difference >>= 1) plane[b] |= (difference & 1u) << j;
    }
    for (int b = 0; b < 32; ++b) planes[base + b] = plane[b];
}

extern "C" void bitshuffle_u32(int n, const uint32_t* samples, uint32_t* planes) {
    const int threads = 128;
    int groups = (n - 1) / 32 + 1;
    shuffle_bits<<<(groups - 1) / threads + 1, threads>>>(n, samples, planes);
}
