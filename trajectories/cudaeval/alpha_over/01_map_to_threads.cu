// Layers: one byte of the picture a thread, in one launch a layer.
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

__global__ void lay(int bytes, int l, const int32_t* mode, const uint8_t* opacity, const uint8_t* layer, uint8_t* picture) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < bytes) picture[i] = blend(picture[i], layer[i], layer[i | 3], opacity[l], mode[l]);
}

extern "C" void alpha_over(int layers, int pixels, const int32_t* mode, const uint8_t* opacity, const uint8_t* stack, uint8_t* picture) {
    cudaMemsetAsync(picture, 0, 4ull * pixels);
    for (int l = 0; l < layers; ++l) lay<<<(4 * pixels + 255) / 256, 256>>>(4 * pixels, l, mode, opacity, stack + 4ull * l * pixels, picture);
}
