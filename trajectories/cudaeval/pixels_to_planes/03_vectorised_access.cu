// Interleaved pixels to planes: four pixels a thread, read as words and stored as float4 where rows are aligned.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void unpack(int batch, int height, int width, const unsigned char* pixels, const unsigned char* mirror, const float* mean,
                       const float* inverse_std, float* planes) {
    const size_t line = (size_t)blockIdx.x * 8 + threadIdx.y, area = (size_t)height * width;
    const int x = blockIdx.y * 32 + threadIdx.x;
    if (line >= (size_t)batch * height || x >= width) return;
    const int b = (int)(line / height), y = (int)(line % height);
    const unsigned char* from = pixels + (line * width + (mirror[b] != 0 ? width - 1 - x : x)) * 3;
    float* to = planes + b * 3 * area + (size_t)y * width + x;
    for (int c = 0; c < 3; ++c) to[c * area] = (from[c] / 255.0f - mean[c]) * inverse_std[c];
}

// Four neighbouring pixels: 12 bytes are three words, four floats of a plane one store.
__global__ void unpack_four(int batch, int height, int width, const unsigned char* pixels, const unsigned char* mirror, const float* mean,
                            const float* inverse_std, float* planes) {
    const size_t line = (size_t)blockIdx.x * 8 + threadIdx.y, area = (size_t)height * width;
    const int x = 4 * (blockIdx.y * 32 + threadIdx.x);
    if (line >= (size_t)batch * height || x >= width) return;
    const int b = (int)(line / height), y = (int)(line % height);
    const bool turned = mirror[b] != 0;
    const unsigned int* from = (const unsigned int*)(pixels + (line * width + x) * 3);
    const unsigned int word[3] = {from[0], from[1], from[2]};
    float* to = planes + b * 3 * area + (size_t)y * width + (turned ? width - 4 - x : x);
#pragma unroll
    for (int c = 0; c < 3; ++c) {
        float value[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int byte = 3 * k + c;
            value[k] = ((word[byte / 4] >> 8 * (byte % 4) & 255) * (1.0f / 255.0f) - mean[c]) * inverse_std[c];
        }
        *(float4*)(to + c * area) =
            turned ? make_float4(value[3], value[2], value[1], value[0]) : make_float4(value[0], value[1], value[2], value[3]);
    }
}

extern "C" void pixels_to_planes(int batch, int height, int width, const unsigned char* pixels, const unsigned char* mirror,
                                 const float* mean, const float* inverse_std, float* planes) {
    const bool aligned = width % 4 == 0 && (uintptr_t)pixels % 4 == 0 && (uintptr_t)planes % 16 == 0;
    // Rows of all images on x, which has the most room.
    const dim3 grid((unsigned int)(((size_t)batch * height - 1) / 8 + 1), ((aligned ? width / 4 : width) - 1) / 32 + 1), block(32, 8);
    if (aligned)
        unpack_four<<<grid, block>>>(batch, height, width, pixels, mirror, mean, inverse_std, planes);
    else
        unpack<<<grid, block>>>(batch, height, width, pixels, mirror, mean, inverse_std, planes);
}
