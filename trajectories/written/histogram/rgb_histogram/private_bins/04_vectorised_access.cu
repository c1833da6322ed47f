// Colour histogram in shared memory; four pixels are read as three 32-bit words.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1024;
constexpr int kChannelBins = 64;
constexpr int kBins = 3 * kChannelBins;

__device__ void count_value(unsigned int* bins, int channel, unsigned int value) {
    atomicAdd(&bins[kChannelBins * channel + value / 4], 1u);
}

// `groups` runs of four pixels can be read as words; the pixels after them are read as bytes.
__global__ void count(int pixels, int groups, const unsigned char* rgb, unsigned int* counts) {
    __shared__ unsigned int local[kBins];
    for (int bin = threadIdx.x; bin < kBins; bin += kThreads) local[bin] = 0;
    __syncthreads();

    long long first = blockIdx.x * kThreads + threadIdx.x;
    long long stride = (long long)gridDim.x * kThreads;
    const unsigned int* words = reinterpret_cast<const unsigned int*>(rgb);
    for (long long group = first; group < groups; group += stride) {
        unsigned int word[3] = {words[3 * group], words[3 * group + 1], words[3 * group + 2]};
#pragma unroll
        for (int byte = 0; byte < 12; ++byte) count_value(local, byte % 3, word[byte / 4] >> (8 * (byte % 4)) & 0xFF);
    }
    for (long long pixel = 4LL * groups + first; pixel < pixels; pixel += stride)
        for (int channel = 0; channel < 3; ++channel) count_value(local, channel, rgb[3 * pixel + channel]);
    __syncthreads();

    for (int bin = threadIdx.x; bin < kBins; bin += kThreads)
        if (local[bin] > 0) atomicAdd(&counts[bin], local[bin]);
}

extern "C" void rgb_histogram(int pixels, const unsigned char* rgb, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, kBins * sizeof(unsigned int));
    int groups = reinterpret_cast<uintptr_t>(rgb) % 4 == 0 ? pixels / 4 : 0;
    int needed = (pixels - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    count<<<blocks, kThreads>>>(pixels, groups, rgb, counts);
}
