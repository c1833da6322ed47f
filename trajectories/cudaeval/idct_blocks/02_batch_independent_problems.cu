// IDCT: 64 threads a block, four blocks side by side, coefficients and basis in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__constant__ uint8_t kPlace[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                   35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

__device__ float basis(int x, int u) { return (u == 0 ? 0.353553391f : 0.5f) * cospif((float)((2 * x + 1) * u) / 16.0f); }

__device__ uint8_t clamped(float value) { return (uint8_t)lroundf(fminf(255.0f, fmaxf(0.0f, value))); }

__global__ void transform(int blocks, int cols, const int16_t* coefficient, const uint8_t* step, uint8_t* pixel) {
    __shared__ float c[8][9], in[4][64], half[4][64];
    const int own = threadIdx.x / 64, place = threadIdx.x % 64, b = blockIdx.x * 4 + own, y = place / 8, x = place % 8;
    if (threadIdx.x < 64) c[y][x] = basis(y, x);
    in[own][kPlace[place]] = b < blocks ? (float)coefficient[64 * (size_t)b + place] * step[place] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int u = 0; u < 8; ++u) sum += c[x][u] * in[own][8 * y + u];
    half[own][place] = sum;
    __syncthreads();
    sum = 128.0f;
    for (int v = 0; v < 8; ++v) sum += c[y][v] * half[own][8 * v + x];
    if (b < blocks) pixel[((size_t)8 * (b / cols) + y) * 8 * cols + 8 * (b % cols) + x] = clamped(sum);
}

extern "C" void idct_blocks(int rows, int cols, const int16_t* coefficient, const uint8_t* step, uint8_t* pixel) {
    transform<<<(rows * cols + 3) / 4, 256>>>(rows * cols, cols, coefficient, step, pixel);
}
