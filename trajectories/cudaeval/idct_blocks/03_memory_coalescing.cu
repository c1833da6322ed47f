// IDCT: a block of threads has 32 neighbouring blocks of the picture and stores rows of 256 pixels.
#include <cuda_runtime.h>

#include <cstdint>

__constant__ uint8_t kPlace[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                   35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

constexpr int kWide = 32, kPitch = 8 * kWide + 8;  // blocks of a tile; floats of one of its rows

__device__ float basis(int x, int u) { return (u == 0 ? 0.353553391f : 0.5f) * cospif((float)((2 * x + 1) * u) / 16.0f); }

__device__ uint8_t clamped(float value) { return (uint8_t)lroundf(fminf(255.0f, fmaxf(0.0f, value))); }

// Eight values of a line, `apart` floats from each other, by their transform.
__device__ void line(const float (*c)[9], float* value, int apart, float offset) {
    float in[8];
#pragma unroll
    for (int u = 0; u < 8; ++u) in[u] = value[u * apart];
#pragma unroll
    for (int x = 0; x < 8; ++x) {
        float sum = offset;
#pragma unroll
        for (int u = 0; u < 8; ++u) sum += c[x][u] * in[u];
        value[x * apart] = sum;
    }
}

__global__ void transform(int cols, const int16_t* __restrict__ coefficient, const uint8_t* __restrict__ step, uint8_t* __restrict__ pixel) {
    __shared__ float c[8][9], tile[8 * kPitch];
    const int first = blockIdx.x * kWide, wide = min(kWide, cols - first), row = blockIdx.y;
    if (threadIdx.x < 64) c[threadIdx.x / 8][threadIdx.x % 8] = basis(threadIdx.x / 8, threadIdx.x % 8);
    for (int i = threadIdx.x; i < 64 * wide; i += 256) {
        const int k = i % 64, place = kPlace[k];
        tile[place / 8 * kPitch + i / 64 * 8 + place % 8] = (float)coefficient[64 * ((size_t)row * cols + first) + i] * step[k];
    }
    __syncthreads();
    if ((int)threadIdx.x < 8 * wide) line(c, tile + threadIdx.x / wide * kPitch + threadIdx.x % wide * 8, 1, 0.0f);
    __syncthreads();
    if ((int)threadIdx.x < 8 * wide) line(c, tile + threadIdx.x, kPitch, 128.0f);
    __syncthreads();
    for (int i = threadIdx.x; i < 64 * wide; i += 256) {
        const int y = i / (8 * wide), x = i % (8 * wide);
        pixel[((size_t)8 * row + y) * 8 * cols + 8 * first + x] = clamped(tile[y * kPitch + x]);
    }
}

extern "C" void idct_blocks(int rows, int cols, const int16_t* coefficient, const uint8_t* step, uint8_t* pixel) {
    transform<<<dim3((cols + kWide - 1) / kWide, rows), 256>>>(cols, coefficient, step, pixel);
}
