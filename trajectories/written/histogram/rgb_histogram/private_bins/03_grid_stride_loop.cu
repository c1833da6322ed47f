// Colour histogram; each block counts many pixels in shared memory before it merges.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1024;
constexpr int kChannelBins = 64;
constexpr int kBins = 3 * kChannelBins;

__global__ void count(int pixels, const unsigned char* rgb, unsigned int* counts) {
    __shared__ unsigned int local[kBins];
    for (int bin = threadIdx.x; bin < kBins; bin += kThreads) local[bin] = 0;
    __syncthreads();

    long long stride = (long long)gridDim.x * kThreads;
    for (long long pixel = blockIdx.x * kThreads + threadIdx.x; pixel < pixels; pixel += stride) {
        for (int channel = 0; channel < 3; ++channel) {
            unsigned char value = rgb[3 * pixel + channel];
            atomicAdd(&local[kChannelBins * channel + value / 4], 1u);
        }
    }
    __syncthreads();

    for (int bin = threadIdx.x; bin < kBins; bin += kThreads)
        if (local[bin] > 0) atomicAdd(&counts[bin], local[bin]);
}

extern "C" void rgb_histogram(int pixels, const unsigned char* rgb, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, kBins * sizeof(unsigned int));
    int needed = (pixels - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    count<<<blocks, kThreads>>>(pixels, rgb, counts);
}
