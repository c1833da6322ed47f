// Depthwise 3 x 3 convolution from a shared tile; a 3 x 3 register window slides down a thread's column.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kPerThread = 4;  // vertically adjacent outputs
constexpr int kOutputsY = kBlockY * kPerThread;
constexpr int kTileX = kBlockX + 2, kTileY = kOutputsY + 2;

__global__ void conv(int height, int width, const float* input, const float* weights, float* output) {
    __shared__ float tile[kTileY][kTileX];
    const size_t plane = (size_t)height * width;
    const int c = blockIdx.z;
    const int x0 = blockIdx.x * kBlockX, y0 = blockIdx.y * kOutputsY;
    const int t = threadIdx.y * kBlockX + threadIdx.x;

    float weight[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) weight[k] = weights[9 * c + k];

    for (int e = t; e < kTileX * kTileY; e += kBlockX * kBlockY) {
        int yy = y0 + e / kTileX - 1, xx = x0 + e % kTileX - 1;
        bool inside = yy >= 0 && yy < height && xx >= 0 && xx < width;
        tile[e / kTileX][e % kTileX] = inside ? input[c * plane + (size_t)yy * width + xx] : 0.0f;
    }
    __syncthreads();

    const int x = x0 + threadIdx.x;
    const int top = threadIdx.y * kPerThread;  // the thread's first output row within the tile
    if (x >= width) return;
    float window[3][3];
#pragma unroll
    for (int dx = 0; dx < 3; ++dx) {
        window[1][dx] = tile[top][threadIdx.x + dx];
        window[2][dx] = tile[top + 1][threadIdx.x + dx];
    }
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        float sum = 0.0f;
#pragma unroll
        for (int dx = 0; dx < 3; ++dx) {
            window[0][dx] = window[1][dx];
            window[1][dx] = window[2][dx];
            window[2][dx] = tile[top + k + 2][threadIdx.x + dx];
        }
#pragma unroll
        for (int dy = 0; dy < 3; ++dy)
#pragma unroll
            for (int dx = 0; dx < 3; ++dx) sum += weight[3 * dy + dx] * window[dy][dx];
        int y = y0 + top + k;
        if (y < height) output[c * plane + (size_t)y * width + x] = sum;
    }
}

extern "C" void depthwise_conv(int channels, int height, int width, const float* input, const float* weights,
                               float* output) {
    dim3 grid((width + kBlockX - 1) / kBlockX, (height + kOutputsY - 1) / kOutputsY, channels);
    conv<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, input, weights, output);
}
