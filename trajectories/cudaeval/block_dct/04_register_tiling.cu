#include <cuda_runtime.h>

// The transform of eight values in place; the table is known to the compiler, so the products have constants in them.
__device__ void transform8(float* value) {
    constexpr float c[8] = {0.35355339059327373f, 0.49039264020161522f, 0.46193976625564337f, 0.41573480615127262f,
                            0.35355339059327373f, 0.27778511650980114f, 0.19134171618254492f, 0.09754516100806417f};
    float in[8];
#pragma unroll
    for (int t = 0; t < 8; ++t) in[t] = value[t];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        float sum = 0.0f;
#pragma unroll
        for (int t = 0; t < 8; ++t) {
            int turn = k * (2 * t + 1) % 32;  // in sixteenths of pi
            int folded = turn > 16 ? 32 - turn : turn;
            float cosine = folded > 8 ? -c[16 - folded] : folded == 8 ? 0.0f : c[folded];
            sum += in[t] * (k == 0 ? c[0] : cosine);
        }
        value[k] = sum;
    }
}

constexpr int kTiles = 16;              // image blocks of a thread block
constexpr int kPitch = 8;

// Eight threads an image block: each transforms a row in registers, then a column.
__global__ void transform(int block_cols, long long tiles, const unsigned char* __restrict__ image,
                          const float* __restrict__ weight, float* __restrict__ coefficient) {
    __shared__ float shared[kTiles][8 * kPitch];
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
