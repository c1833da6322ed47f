// Pixels are read in pairs: a row of six is two pairs and its ends.
#include <cuda_runtime.h>

constexpr int kEach = 8;  // filters a thread
constexpr int kChannels = 16;  // at a time in shared memory
constexpr int kX = 16, kY = 4;  // threads of a block, each with two pooled results side by side

// The weights of a block's filters for up to kChannels channels, a tap a row.
__device__ void load_taps(float tap[][kEach], int channels, int filters, int first, int c, const float* __restrict__ weight) {
    const int taps = min(kChannels, channels - c) * 9;
    for (int i = 0; i < kEach; ++i) {
        const float* own = weight + ((long long)min(first + i, filters - 1) * channels + c) * 9;
        for (int k = threadIdx.y * kX + threadIdx.x; k < taps; k += kX * kY) tap[k][i] = own[k];
    }
}

// The convolutions of a 2 x 4 rectangle by eight 3 x 3 filters, from the 4 x 6 pixels under them; a tap's eight weights lie together.
__device__ void add_products(const float patch[4][6], const float tap[9][kEach], float sum[kEach][2][4]) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        const float4 low = *reinterpret_cast<const float4*>(&tap[k][0]), high = *reinterpret_cast<const float4*>(&tap[k][4]);
        const float w[kEach] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        const int ky = k / 3, kx = k % 3;
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
#pragma unroll
            for (int dx = 0; dx < 4; ++dx) {
                sum[i][0][dx] += w[i] * patch[ky][kx + dx];
                sum[i][1][dx] += w[i] * patch[ky + 1][kx + dx];
            }
        }
    }
}

// The six pixels of a row from column - 1 on, for an even column; zeros outside the image, of which the row has `width` pixels.
__device__ void load_row(float pixel[6], const float* __restrict__ row, int column, int width) {
    const float2 none = {0.0f, 0.0f};
    const float2 near = column < width ? *reinterpret_cast<const float2*>(row + column) : none;
    const float2 far = column + 2 < width ? *reinterpret_cast<const float2*>(row + column + 2) : none;
    pixel[0] = column > 0 && column <= width ? row[column - 1] : 0.0f;
    pixel[1] = near.x, pixel[2] = near.y, pixel[3] = far.x, pixel[4] = far.y;
    pixel[5] = column + 4 < width ? row[column + 4] : 0.0f;
}

__global__ void __launch_bounds__(kX * kY, 8)
    convolve_and_pool(int channels, int filters, int height, int width, const float* __restrict__ image, const float* __restrict__ weight,
                      const float* __restrict__ bias, float* __restrict__ out) {
    int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y, first = blockIdx.z * kEach;
    __shared__ __align__(16) float tap[kChannels * 9][kEach];
    float sum[kEach][2][4] = {};
    for (int c = 0; c < channels; ++c) {
        if (c % kChannels == 0) {
            __syncthreads();
            load_taps(tap, channels, filters, first, c, weight);
            __syncthreads();
        }
        float patch[4][6];
#pragma unroll
        for (int dy = 0; dy < 4; ++dy) {
            const int row = 2 * y + dy - 1;
            load_row(patch[dy], image + ((long long)c * height + row) * width, 4 * x, row >= 0 && row < height ? width : 0);
        }
        add_products(patch, &tap[c % kChannels * 9], sum);
    }
    if (4 * x >= width || 2 * y >= height) return;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        if (first + i >= filters) break;
        float* row = out + ((long long)(first + i) * (height / 2) + y) * (width / 2);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const float* above = &sum[i][0][2 * half];
            const float* below = &sum[i][1][2 * half];
            float largest = fmaxf(fmaxf(above[0], above[1]), fmaxf(below[0], below[1]));
            if (4 * x + 2 * half < width) row[2 * x + half] = fmaxf(0.0f, largest + bias[first + i]);
        }
    }
}

extern "C" void conv_pool(int channels, int filters, int height, int width, const float* image, const float* weight, const float* bias,
                          float* out) {
    dim3 block(kX, kY), grid(((width + 3) / 4 + kX - 1) / kX, (height / 2 + kY - 1) / kY, (filters + kEach - 1) / kEach);
    if (filters > 0) convolve_and_pool<<<grid, block>>>(channels, filters, height, width, image, weight, bias, out);
}
