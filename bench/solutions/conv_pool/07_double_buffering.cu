// Two tiles take turns: while one channel is multiplied the next one is on its way, and one barrier a channel is enough.
#include <cuda_runtime.h>

constexpr int kEach = 8;  // filters a thread
constexpr int kX = 16, kY = 8;  // pooled results of a block
constexpr int kPitch = 2 * kX + 2, kRows = 2 * kY + 2;

// A channel's pixels under a block, with a rim of one; zeros outside the image.
__device__ void load_tile(float tile[kRows][kPitch], int height, int width, const float* __restrict__ channel) {
    int top = blockIdx.y * 2 * kY - 1, left = blockIdx.x * 2 * kX - 1;
    for (int i = threadIdx.y * kX + threadIdx.x; i < kRows * kPitch; i += kX * kY) {
        int row = top + i / kPitch, column = left + i % kPitch;
        bool inside = row >= 0 && row < height && column >= 0 && column < width;
        tile[i / kPitch][i % kPitch] = inside ? channel[(long long)row * width + column] : 0.0f;
    }
}

__device__ void load_taps(float tap[9][kEach], int channels, int filters, int first, int c, const float* __restrict__ weight) {
    for (int i = threadIdx.y * kX + threadIdx.x; i < 9 * kEach; i += kX * kY) {
        int f = first + i % kEach;
        tap[i / kEach][i % kEach] = f < filters ? weight[((long long)f * channels + c) * 9 + i / kEach] : 0.0f;
    }
}

// The four convolutions of a 2 x 2 square by eight 3 x 3 filters, from the 4 x 4 pixels under them; a tap's eight weights lie together.
__device__ void add_products(const float patch[4][4], const float tap[9][kEach], float sum[kEach][4]) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        const float4 low = *reinterpret_cast<const float4*>(&tap[k][0]), high = *reinterpret_cast<const float4*>(&tap[k][4]);
        const float w[kEach] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        const int ky = k / 3, kx = k % 3;
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            sum[i][0] += w[i] * patch[ky][kx];
            sum[i][1] += w[i] * patch[ky][kx + 1];
            sum[i][2] += w[i] * patch[ky + 1][kx];
            sum[i][3] += w[i] * patch[ky + 1][kx + 1];
        }
    }
}

__global__ void __launch_bounds__(kX * kY)
    convolve_and_pool(int channels, int filters, int height, int width, const float* __restrict__ image, const float* __restrict__ weight,
                      const float* __restrict__ bias, float* __restrict__ out) {
    __shared__ float tile[2][kRows][kPitch];
    __shared__ __align__(16) float tap[2][9][kEach];
    int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y, first = blockIdx.z * kEach;
    float sum[kEach][4] = {};
    load_tile(tile[0], height, width, image);
    load_taps(tap[0], channels, filters, first, 0, weight);
    for (int c = 0; c < channels; ++c) {
        int now = c % 2;
        __syncthreads();
        if (c + 1 < channels) {
            load_tile(tile[1 - now], height, width, image + (long long)(c + 1) * height * width);
            load_taps(tap[1 - now], channels, filters, first, c + 1, weight);
        }
        float patch[4][4];
#pragma unroll
        for (int i = 0; i < 16; ++i) patch[i / 4][i % 4] = tile[now][2 * threadIdx.y + i / 4][2 * threadIdx.x + i % 4];
        add_products(patch, tap[now], sum);
    }
    if (2 * x >= width || 2 * y >= height) return;
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
