// Colour histogram, one thread per pixel, atomics on the global counters.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kChannelBins = 64;
constexpr int kBins = 3 * kChannelBins;

__global__ void count(int pixels, const unsigned char* rgb, unsigned int* counts) {
    int pixel = blockIdx.x * kThreads + threadIdx.x;
    if (pixel >= pixels) return;
    for (int channel = 0; channel < 3; ++channel) {
        unsigned char value = rgb[3 * (size_t)pixel + channel];
        atomicAdd(&counts[kChannelBins * channel + value / 4], 1u);
    }
}

extern "C" void rgb_histogram(int pixels, const unsigned char* rgb, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, kBins * sizeof(unsigned int));
    count<<<(pixels - 1) / kThreads + 1, kThreads>>>(pixels, rgb, counts);
}
