// IDCT: one block a thread, the basis recomputed where it is used.
#include <cuda_runtime.h>

#include <cstdint>

__constant__ uint8_t kPlace[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                   35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

__device__ float basis(int x, int u) { return (u == 0 ? 0.353553391f : 0.5f) * cospif((float)((2 * x + 1) * u) / 16.0f); }

__device__ uint8_t clamped(float value) { return (uint8_t)lroundf(fminf(255.0f, fmaxf(0.0f, value))); }

__global__ void transform(int blocks, int cols, const int16_t* coefficient, const uint8_t* step, uint8_t* pixel) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    float in[64], half[64];
    for (int k = 0; k < 64; ++k) in[kPlace[k]] = (float)coefficient[64 * (size_t)b + k] * step[k];
    for (int v = 0; v < 8; ++v)
        for (int x = 0; x < 8; ++x) {
            float sum = 0.0f;
            for (int u = 0; u < 8; ++u) sum += basis(x, u) * in[8 * v + u];
            half[8 * v + x] = sum;
        }
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
            float sum = 128.0f;
            for (int v = 0; v < 8; ++v) sum += basis(y, v) * half[8 * v + x];
            pixel[((size_t)8 * (b / cols) + y) * 8 * cols + 8 * (b % cols) + x] = clamped(sum);
        }
}

extern "C" void idct_blocks(int rows, int cols, const int16_t* coefficient, const uint8_t* step, uint8_t* pixel) {
    transform<<<(rows * cols + 127) / 128, 128>>>(rows * cols, cols, coefficient, step, pixel);
}
