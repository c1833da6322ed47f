// Packed 10-bit video: a thread unpacks one group of six pixels.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__global__ void unpack(size_t groups, const uint32_t* packed, uint16_t* luma, uint16_t* blue, uint16_t* red) {
    const size_t g = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (g >= groups) return;
    uint16_t sample[12];
    for (int k = 0; k < 12; ++k) sample[k] = packed[4 * g + k / 3] >> (10 * (k % 3)) & 1023;
    for (int k = 0; k < 3; ++k) {
        blue[3 * g + k] = sample[4 * k];
        luma[6 * g + 2 * k] = sample[4 * k + 1];
        red[3 * g + k] = sample[4 * k + 2];
        luma[6 * g + 2 * k + 1] = sample[4 * k + 3];
    }
}

extern "C" void v210_planes(int height, int groups, const uint32_t* packed, uint16_t* luma, uint16_t* blue, uint16_t* red) {
    const size_t all = (size_t)height * groups;
    unpack<<<(int)((all - 1) / kThreads + 1), kThreads>>>(all, packed, luma, blue, red);
}
