// Colour histogram, one thread per pixel; each block counts in shared memory and merges once.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kChannelBins = 64;
constexpr int kBins = 3 * kChannelBins;

__global__ void count(int pixels, const unsigned char* rgb, unsigned int* counts) {
    __shared__ unsigned int local[kBins];
    for (int bin = threadIdx.x; bin < kBins; bin += kThreads) local[bin] = 0;
    __syncthreads();

    int pixel = blockIdx.x * kThreads + threadIdx.x;
    if (pixel < pixels) {
        for (int channel = 0; channel < 3; ++channel) {
            unsigned char value = rgb[3 * (size_t)pixel + channel];
            atomicAdd(&local[kChannelBins * channel + value / 4], 1u);
        }
    }
    __syncthreads();

    for (int bin = threadIdx.x; bin < kBins; bin += kThreads)
        if (local[bin] > 0) atomicAdd(&counts[bin], local[bin]);
}

extern "C" void rgb_histogram(int pixels, const unsigned char* rgb, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, kBins * sizeof(unsigned int));
    count<<<(pixels - 1) / kThreads + 1, kThreads>>>(pixels, rgb, counts);
}
