// One thread a pooled result: it finds the four convolutions under it and keeps the largest, and no scratch array is left.
#include <cuda_runtime.h>

__device__ float convolve(int channels, int height, int width, const float* image, const float* weight, int y, int x) {
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) {
        for (int ky = 0; ky < 3; ++ky) {
            for (int kx = 0; kx < 3; ++kx) {
                int row = y + ky - 1, column = x + kx - 1;
                if (row < 0 || row >= height || column < 0 || column >= width) continue;
                sum += weight[9 * c + 3 * ky + kx] * image[((long long)c * height + row) * width + column];
            }
        }
    }
    return sum;
}

__global__ void convolve_and_pool(int channels, int height, int width, const float* image, const float* weight, const float* bias,
                                  float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, f = blockIdx.z;
    if (2 * x >= width || 2 * y >= height) return;
    const float* own = weight + (long long)f * channels * 9;
    float largest = -INFINITY;
    for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx)
            largest = fmaxf(largest, convolve(channels, height, width, image, own, 2 * y + dy, 2 * x + dx));
    out[((long long)f * (height / 2) + y) * (width / 2) + x] = fmaxf(0.0f, largest + bias[f]);
}

extern "C" void conv_pool(int channels, int filters, int height, int width, const float* image, const float* weight, const float* bias,
                          float* out) {
    dim3 block(32, 8), grid((width / 2 + 31) / 32, (height / 2 + 7) / 8, filters);
    if (filters > 0) convolve_and_pool<<<grid, block>>>(channels, height, width, image, weight, bias, out);
}
