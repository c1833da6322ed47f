// A thread finds its result for eight filters: the pixels in its registers serve eight times as many products.
#include <cuda_runtime.h>

constexpr int kEach = 8;  // filters a thread
constexpr int kX = 16, kY = 4;  // pooled results of a block

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

__global__ void __launch_bounds__(kX * kY)
    convolve_and_pool(int channels, int filters, int height, int width, const float* __restrict__ image, const float* __restrict__ weight,
                      const float* __restrict__ bias, float* __restrict__ out) {
    int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y, first = blockIdx.z * kEach;
    if (2 * x >= width || 2 * y >= height) return;
    float sum[kEach][4] = {};
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
#pragma unroll
        for (int i = 0; i < kEach; ++i)
            add_products(patch, weight + ((long long)min(first + i, filters - 1) * channels + c) * 9, sum[i]);
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        if (first + i >= filters) break;
        float largest = fmaxf(fmaxf(sum[i][0], sum[i][1]), fmaxf(sum[i][2], sum[i][3]));
        out[((long long)(first + i) * (height / 2) + y) * (width / 2) + x] = fmaxf(0.0f, largest + bias[first + i]);
    }
}

extern "C" void conv_pool(int channels, int filters, int height, int width, const float* image, const float* weight, const float* bias,
                          float* out) {
    dim3 block(kX, kY), grid((width / 2 + kX - 1) / kX, (height / 2 + kY - 1) / kY, (filters + kEach - 1) / kEach);
    if (filters > 0) convolve_and_pool<<<grid, block>>>(channels, filters, height, width, image, weight, bias, out);
}
