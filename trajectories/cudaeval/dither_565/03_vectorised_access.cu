// Dither: four pixels a thread, three words in and one 8-byte store out, where rows are whole fours.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int packed(int r, int g, int b, int m) {
    return min(31, (r + m / 2) >> 3) << 11 | min(63, (g + m / 4) >> 2) << 5 | min(31, (b + m / 2) >> 3);
}

__global__ void dither(int height, int width, const uint8_t* matrix, const uint8_t* pixel, uint16_t* word, int32_t* darkened) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    bool dark = false;
    if (x < width && y < height) {
        const size_t at = (size_t)y * width + x;
        const uint8_t* p = pixel + 3 * at;
        const int value = packed(p[0], p[1], p[2], matrix[4 * (y % 4) + x % 4]);
        word[at] = (uint16_t)value;
        dark = value == 0 && (p[0] | p[1] | p[2]);
    }
    const int count = __syncthreads_count(dark);
    if (threadIdx.x == 0 && threadIdx.y == 0 && count) atomicAdd(darkened, count);
}

__global__ void dither_fours(int height, int fours, const uint8_t* __restrict__ matrix, const uint32_t* __restrict__ pixel, uint2* __restrict__ word,
                             int32_t* darkened) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int dark = 0;
    if (x < fours && y < height) {
        const size_t at = (size_t)y * fours + x;
        const uint32_t in[3] = {pixel[3 * at], pixel[3 * at + 1], pixel[3 * at + 2]}, row = reinterpret_cast<const uint32_t*>(matrix)[y % 4];
        int value[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            int channel[3];
#pragma unroll
            for (int c = 0; c < 3; ++c) channel[c] = in[(3 * k + c) / 4] >> (3 * k + c) % 4 * 8 & 255;
            value[k] = packed(channel[0], channel[1], channel[2], row >> 8 * k & 255);
            dark += value[k] == 0 && (channel[0] | channel[1] | channel[2]);
        }
        word[at] = make_uint2((uint32_t)value[0] | (uint32_t)value[1] << 16, (uint32_t)value[2] | (uint32_t)value[3] << 16);
    }
    dark = __reduce_add_sync(0xffffffffu, dark);
    if (threadIdx.x == 0 && dark) atomicAdd(darkened, dark);
}

extern "C" void dither_565(int height, int width, const uint8_t* matrix, const uint8_t* pixel, uint16_t* word, int32_t* darkened) {
    cudaMemsetAsync(darkened, 0, sizeof(int32_t));
    if (width % 4 == 0)
        dither_fours<<<dim3((width / 4 + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
            height, width / 4, matrix, reinterpret_cast<const uint32_t*>(pixel), reinterpret_cast<uint2*>(word), darkened);
    else
        dither<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(height, width, matrix, pixel, word, darkened);
}
