// Colour histogram in shared memory with one copy of the counters per warp.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1024;
constexpr int kChannelBins = 64;
constexpr int kBins = 3 * kChannelBins;
constexpr int kCopies = kThreads / 32;
constexpr int kCopyStride = kBins + 1;  // odd, so that one bin's copies lie in different banks

__device__ void count_value(unsigned int* bins, int channel, unsigned int value) {
    atomicAdd(&bins[kChannelBins * channel + value / 4], 1u);
}

// `groups` runs of four pixels can be read as words; the pixels after them are read as bytes.
__global__ void count(int pixels, int groups, const unsigned char* rgb, unsigned int* counts) {
    __shared__ unsigned int copies[kCopies * kCopyStride];
    for (int i = threadIdx.x; i < kCopies * kCopyStride; i += kThreads) copies[i] = 0;
    __syncthreads();
    unsigned int* local = copies + threadIdx.x / 32 * kCopyStride;  // this warp's own counters

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

    for (int bin = threadIdx.x; bin < kBins; bin += kThreads) {
        unsigned int total = 0;
        for (int copy = 0; copy < kCopies; ++copy) total += copies[copy * kCopyStride + bin];
        if (total > 0) atomicAdd(&counts[bin], total);
    }
}

extern "C" void rgb_histogram(int pixels, const unsigned char* rgb, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, kBins * sizeof(unsigned int));
    int groups = reinterpret_cast<uintptr_t>(rgb) % 4 == 0 ? pixels / 4 : 0;
    int needed = (pixels - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    count<<<blocks, kThreads>>>(pixels, groups, rgb, counts);
}
