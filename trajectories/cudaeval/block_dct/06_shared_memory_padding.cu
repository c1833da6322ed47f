#include <cuda_runtime.h>

// The transform of eight values in place: sums for the even coefficients, differences for the odd ones.
__device__ void transform8(float* value) {
    constexpr float c1 = 0.49039264020161522f, c2 = 0.46193976625564337f, c3 = 0.41573480615127262f, c4 = 0.35355339059327373f,
                    c5 = 0.27778511650980114f, c6 = 0.19134171618254492f, c7 = 0.09754516100806417f;
    float s0 = value[0] + value[7], s1 = value[1] + value[6], s2 = value[2] + value[5], s3 = value[3] + value[4];
    float d0 = value[0] - value[7], d1 = value[1] - value[6], d2 = value[2] - value[5], d3 = value[3] - value[4];
    float a = s0 + s3, b = s1 + s2, p = s0 - s3, q = s1 - s2;
    value[0] = c4 * (a + b);
    value[4] = c4 * (a - b);
    value[2] = c2 * p + c6 * q;
    value[6] = c6 * p - c2 * q;
    value[1] = c1 * d0 + c3 * d1 + c5 * d2 + c7 * d3;
    value[3] = c3 * d0 - c7 * d1 - c1 * d2 - c5 * d3;
    value[5] = c5 * d0 - c1 * d1 + c7 * d2 + c3 * d3;
    value[7] = c7 * d0 - c5 * d1 + c3 * d2 - c1 * d3;
}

constexpr int kTiles = 16;              // image blocks of a thread block
constexpr int kPitch = 9;  // odd, so that the rows of a block begin in different banks

// Eight threads an image block: each transforms a row in registers, then a column.
__global__ void transform(int block_cols, long long tiles, const unsigned char* __restrict__ image,
                          const float* __restrict__ weight, float* __restrict__ coefficient) {
    __shared__ float shared[kTiles][8 * kPitch + 8];
    float* tile = shared[threadIdx.x / 8];
    int line = threadIdx.x % 8;
    long long number = (long long)blockIdx.x * kTiles + threadIdx.x / 8;
    long long width = 8LL * block_cols;
    long long corner = number / block_cols * 8 * width + number % block_cols * 8;
    float value[8];
    if (number < tiles) {
        const unsigned char* pixels = image + corner + line * width;
#pragma unroll
        for (int x = 0; x < 8; ++x) value[x] = (float)pixels[x] - 128.0f;
        transform8(value);
#pragma unroll
        for (int x = 0; x < 8; ++x) tile[line * kPitch + x] = value[x];
    }
    __syncwarp();
    if (number < tiles) {
#pragma unroll
        for (int y = 0; y < 8; ++y) value[y] = tile[y * kPitch + line];
        transform8(value);
#pragma unroll
        for (int y = 0; y < 8; ++y) coefficient[corner + y * width + line] = value[y] * weight[8 * y + line];
    }
}

extern "C" void block_dct(int block_rows, int block_cols, const unsigned char* image, const float* weight, float* coefficient) {
    long long tiles = (long long)block_rows * block_cols;
    if (tiles <= 0) return;
    transform<<<(unsigned)((tiles + kTiles - 1) / kTiles), 8 * kTiles>>>(block_cols, tiles, image, weight, coefficient);
}
