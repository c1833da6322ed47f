// Depthwise 3 x 3 convolution from a shared tile; the window loops are unrolled and the weights sit in registers.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kTileX = kBlockX + 2, kTileY = kBlockY + 2;

__global__ void conv(int height, int width, const float* input, const float* weights, float* output) {
    __shared__ float tile[kTileY][kTileX];
    const size_t plane = (size_t)height * width;
    const int c = blockIdx.z;
    const int x0 = blockIdx.x * kBlockX, y0 = blockIdx.y * kBlockY;
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

    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
#pragma unroll
    for (int dy = 0; dy < 3; ++dy)
#pragma unroll
        for (int dx = 0; dx < 3; ++dx) sum += weight[3 * dy + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    output[c * plane + (size_t)y * width + x] = sum;
}

extern "C" void depthwise_conv(int channels, int height, int width, const float* input, const float* weights,
                               float* output) {
    dim3 grid((width + kBlockX - 1) / kBlockX, (height + kBlockY - 1) / kBlockY, channels);
    conv<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, input, weights, output);
}
