// Layers: a pixel is one word.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int scale(int a, int b) {
    const int t = a * b + 128;
    return (t + (t >> 8)) >> 8;
}

__device__ int blend(int p, int s, int alpha, int opacity, int mode) {
    s = scale(s, opacity);
    if (mode == 0) return min(255, s + scale(p, 255 - scale(alpha, opacity)));
    return mode == 1 ? min(255, s + p) : scale(s, p);
}

__device__ uint32_t blend_word(uint32_t p, uint32_t s, int opacity, int mode) {
    uint32_t result = 0;
#pragma unroll
    for (int k = 0; k < 32; k += 8) result |= (uint32_t)blend(p >> k & 255, s >> k & 255, s >> 24, opacity, mode) << k;
    return result;
}

__global__ void lay(int layers, int pixels, const int32_t* mode, const uint8_t* opacity, const uint32_t* stack, uint32_t* picture) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    uint32_t p = 0;
    for (int l = 0; l < layers; ++l) p = blend_word(p, stack[(size_t)l * pixels + i], opacity[l], mode[l]);
    picture[i] = p;
}

extern "C" void alpha_over(int layers, int pixels, const int32_t* mode, const uint8_t* opacity, const uint8_t* stack, uint8_t* picture) {
    lay<<<(pixels + 255) / 256, 256>>>(layers, pixels, mode, opacity, reinterpret_cast<const uint32_t*>(stack), reinterpret_cast<uint32_t*>(picture));
}
