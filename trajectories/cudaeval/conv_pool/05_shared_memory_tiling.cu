// The weights of eight filters lie in shared memory, sixteen channels at a time and transposed, so that a tap's eight weights are two
// broadcast reads of 16 bytes.
#include <cuda_runtime.h>

constexpr int kEach = 8;  // filters a thread
constexpr int kChannels = 16;  // at a time in shared memory
constexpr int kX = 16, kY = 4;  // pooled results of a block

// The weights of a block's filters for up to kChannels channels, a tap a row.
__device__ void load_taps(float tap[][kEach], int channels, int filters, int first, int c, const float* __restrict__ weight) {
    const int taps = min(kChannels, channels - c) * 9;
    for (int i = 0; i < kEach; ++i) {
        const float* own = weight + ((long long)min(first + i, filters - 1) * channels + c) * 9;
        for (int k = threadIdx.y * kX + threadIdx.x; k < taps; k += kX * kY) tap[k][i] = own[k];
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
    int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y, first = blockIdx.z * kEach;
    __shared__ __align__(16) float tap[kChannels * 9][kEach];
    float sum[kEach][4] = {};
    for (int c = 0; c < channels; ++c) {
        if (c % kChannels == 0) {
            __syncthreads();
            load_taps(tap, channels, filters, first, c, weight);
            __syncthreads();
        }
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
        add_products(patch, &tap[c % kChannels * 9], sum);
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
