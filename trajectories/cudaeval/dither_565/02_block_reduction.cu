// Dither: a block votes on its darkened pixels.
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

extern "C" void dither_565(int height, int width, const uint8_t* matrix, const uint8_t* pixel, uint16_t* word, int32_t* darkened) {
    cudaMemsetAsync(darkened, 0, sizeof(int32_t));
    dither<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(height, width, matrix, pixel, word, darkened);
}
