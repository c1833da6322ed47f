// Difference and bit shuffle: one thread per plane word, which gathers one bit of 32 samples.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void shuffle_bits(int n, const uint32_t* samples, uint32_t* planes) {
    int word = blockIdx.x * blockDim.x + threadIdx.x;
    int base = word & ~31, b = word & 31;
    if (base >= n) return;
    uint32_t gathered = 0, previous = 0;
    for (int j = 0; j < 32 && base + j < n; ++j) {
        uint32_t sample = samples[base + j];
        gathered |= ((sample - previous) >> b & 1u) << j;
        previous = sample;
    }
    planes[word] = gathered;
}

extern "C" void bitshuffle_u32(int n, const uint32_t* samples, uint32_t* planes) {
    const int threads = 256;
    int words = ((n - 1) / 32 + 1) * 32;
    shuffle_bits<<<(words - 1) / threads + 1, threads>>>(n, samples, planes);
}
