#include <cuda_runtime.h>

__device__ float basis(int k, int t) {
    return (k == 0 ? 0.35355339059327373f : 0.5f) * cosf(0.19634954084936207f * k * (2 * t + 1));
}

constexpr int kTiles = 4;  // image blocks side by side in a thread block, 64 threads each

// Rows first, then columns: 16 products a coefficient in place of 128.
__global__ void transform(int block_cols, const unsigned char* image, const float* weight, float* coefficient) {
    __shared__ float table[8][8], tile[8][8 * kTiles], half[8][8 * kTiles];
    int x = threadIdx.x, y = threadIdx.y, u = x % 8, width = 8 * block_cols;
    int column = blockIdx.x * 8 * kTiles + x;
    long long place = (long long)(blockIdx.y * 8 + y) * width + column;
    bool inside = column < width;
    if (x < 8) table[y][x] = basis(y, x);
    tile[y][x] = inside ? (float)image[place] - 128.0f : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int t = 0; t < 8; ++t) sum += tile[y][x - u + t] * table[u][t];
    half[y][x] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int t = 0; t < 8; ++t) sum += half[t][x] * table[y][t];
    if (inside) coefficient[place] = sum * weight[8 * y + u];
}

extern "C" void block_dct(int block_rows, int block_cols, const unsigned char* image, const float* weight, float* coefficient) {
    if (block_rows <= 0 || block_cols <= 0) return;
    dim3 grid((block_cols + kTiles - 1) / kTiles, block_rows);
    transform<<<grid, dim3(8 * kTiles, 8)>>>(block_cols, image, weight, coefficient);
}
