// The 4 x 4 pixels under a pooled result come to registers once for its four convolutions: 16 loads a channel in place of 36, and one of
// each weight in place of four.
#include <cuda_runtime.h>

// The four convolutions of a 2 x 2 square by a 3 x 3 filter, from the 4 x 4 pixels under them.
__device__ void add_products(const float patch[4][4], const float* tap, float* sum) {
#pragma unroll
    for (int ky = 0; ky < 3; ++ky) {
#pragma unroll
        for (int kx = 0; kx < 3; ++kx) {
            float w = tap[3 * ky + kx];
            sum[0] += w * patch[ky][kx];
            sum[1] += w * patch[ky][kx + 1];
            sum[2] += w * patch[ky + 1][kx];
            sum[3] += w * patch[ky + 1][kx + 1];
        }
    }
}

__global__ void convolve_and_pool(int channels, int height, int width, const float* __restrict__ image, const float* __restrict__ weight,
                                  const float* __restrict__ bias, float* __restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, f = blockIdx.z;
    if (2 * x >= width || 2 * y >= height) return;
    float sum[4] = {};
    for (int c = 0; c < channels; ++c) {
        float patch[4][4];
#pragma unroll
        for (int dy = 0; dy < 4; ++dy) {
#pragma unroll
            for (int dx = 0; dx < 4; ++dx) {
                int row = 2 * y + dy - 1, column = 2 * x + dx - 1;
                bool inside = row >= 0 && row < height && column >= 0 && column < width;
                patch[dy][dx] = inside ? image[((long long)c * height + row) * width + column] : 0.0f;
            }
        }
        add_products(patch, weight + ((long long)f * channels + c) * 9, sum);
    }
    float largest = fmaxf(fmaxf(sum[0], sum[1]), fmaxf(sum[2], sum[3]));
    out[((long long)f * (height / 2) + y) * (width / 2) + x] = fmaxf(0.0f, largest + bias[f]);
}

extern "C" void conv_pool(int channels, int filters, int height, int width, const float* image, const float* weight, const float* bias,
                          float* out) {
    dim3 block(32, 8), grid((width / 2 + 31) / 32, (height / 2 + 7) / 8, filters);
    if (filters > 0) convolve_and_pool<<<grid, block>>>(channels, height, width, image, weight, bias, out);
}
