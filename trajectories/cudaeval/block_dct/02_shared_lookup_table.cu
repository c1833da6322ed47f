#include <cuda_runtime.h>

__device__ float basis(int k, int t) {
    return (k == 0 ? 0.35355339059327373f : 0.5f) * cosf(0.19634954084936207f * k * (2 * t + 1));
}

// One thread a coefficient; the cosines are computed once a block.
__global__ void transform(int width, int height, const unsigned char* image, const float* weight, float* coefficient) {
    __shared__ float table[8][8];
    if (threadIdx.x < 64) table[threadIdx.x / 8][threadIdx.x % 8] = basis(threadIdx.x / 8, threadIdx.x % 8);
    __syncthreads();
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)width * height) return;
    int row = (int)(i / width), column = (int)(i % width);
    int v = row % 8, u = column % 8;
    const unsigned char* pixels = image + (long long)(row - v) * width + (column - u);
    float sum = 0.0f;
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) sum += ((float)pixels[(long long)y * width + x] - 128.0f) * table[v][y] * table[u][x];
    coefficient[i] = sum * weight[8 * v + u];
}

extern "C" void block_dct(int block_rows, int block_cols, const unsigned char* image, const float* weight, float* coefficient) {
    int width = 8 * block_cols, height = 8 * block_rows;
    long long pixels = (long long)width * height;
    if (pixels > 0) transform<<<(unsigned)((pixels + 255) / 256), 256>>>(width, height, image, weight, coefficient);
}
