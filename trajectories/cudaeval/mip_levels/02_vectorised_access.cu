// Smaller copies of a picture: a thread a pixel, whose four channels are one word; sums of two channels share a word.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kAcross = 32, kDown = 8;

// A picture that is not aligned is read and written by channels.
__device__ uint32_t load(const uint8_t* from, size_t pixel) {
    if ((size_t)from % 4 == 0) return ((const uint32_t*)from)[pixel];
    from += 4 * pixel;
    return from[0] | from[1] << 8 | from[2] << 16 | (uint32_t)from[3] << 24;
}

__device__ void store(uint8_t* to, size_t pixel, uint32_t value) {
    if ((size_t)to % 4 == 0) {
        ((uint32_t*)to)[pixel] = value;
        return;
    }
    for (int c = 0; c < 4; ++c) to[4 * pixel + c] = value >> (8 * c);
}

__device__ uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t mask = 0x00ff00ff;
    const uint32_t even = (a & mask) + (b & mask) + (c & mask) + (d & mask) + 0x00020002;
    const uint32_t odd = (a >> 8 & mask) + (b >> 8 & mask) + (c >> 8 & mask) + (d >> 8 & mask) + 0x00020002;
    return (even >> 2 & mask) | (odd >> 2 & mask) << 8;
}

__global__ void shrink(int height, int width, int rows, int columns, const uint8_t* from, uint8_t* to) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= columns || y >= rows) return;
    const size_t upper = (size_t)2 * y * width, lower = (size_t)min(2 * y + 1, height - 1) * width;
    const int left = 2 * x, right = min(2 * x + 1, width - 1);
    const uint32_t made = mean(load(from, upper + left), load(from, upper + right), load(from, lower + left), load(from, lower + right));
    store(to, (size_t)y * columns + x, made);
}

static void launch(int height, int width, const uint8_t* from, uint8_t* to) {
    const int rows = max(1, height / 2), columns = max(1, width / 2);
    const dim3 blocks((columns - 1) / kAcross + 1, (rows - 1) / kDown + 1);
    shrink<<<blocks, dim3(kAcross, kDown)>>>(height, width, rows, columns, from, to);
}

extern "C" void mip_levels(int height, int width, const uint8_t* picture, uint8_t* half, uint8_t* quarter, uint8_t* eighth) {
    launch(height, width, picture, half);
    launch(max(1, height / 2), max(1, width / 2), half, quarter);
    launch(max(1, height / 4), max(1, width / 4), quarter, eighth);
}
