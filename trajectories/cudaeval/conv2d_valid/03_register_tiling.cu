// Convolution: four outputs below one another a thread; an element of the image and a weight, once loaded, serve all of them.
#include <cuda_runtime.h>

constexpr int kSide = 24, kOwn = 4, kColumns = 32, kStrips = 4, kRows = kStrips * kOwn, kThreads = kColumns * kStrips;
constexpr int kWide = kColumns + kSide - 1, kHigh = kRows + kSide - 1;

__global__ void convolve(int n, int size, const float* __restrict__ image, const float* __restrict__ kernel, float* __restrict__ out) {
    __shared__ float tile[kHigh][kWide], weight[kSide][kSide];
    const int top = blockIdx.y * kRows, left = blockIdx.x * kColumns, me = threadIdx.y * kColumns + threadIdx.x;
    for (int e = me; e < kHigh * kWide; e += kThreads) {
        const int r = e / kWide, c = e % kWide;
        tile[r][c] = top + r < n && left + c < n ? image[(long long)(top + r) * n + left + c] : 0.0f;
    }
    for (int e = me; e < kSide * kSide; e += kThreads) weight[e / kSide][e % kSide] = kernel[e];
    __syncthreads();
    const int first = threadIdx.y * kOwn;
    float sum[kOwn] = {};
    for (int v = 0; v < kSide; ++v) {
        // Down a column of the image; element r meets weight r - o of output o, so the last few weights stay in registers.
        float w[kSide];
#pragma unroll
        for (int r = 0; r < kSide + kOwn - 1; ++r) {
            const float x = tile[first + r][threadIdx.x + v];
            if (r < kSide) w[r] = weight[r][v];
#pragma unroll
            for (int o = 0; o < kOwn; ++o)
                if (r >= o && r - o < kSide) sum[o] += x * w[r - o];
        }
    }
    const int j = left + threadIdx.x;
#pragma unroll
    for (int o = 0; o < kOwn; ++o)
        if (top + first + o < size && j < size) out[(long long)(top + first + o) * size + j] = sum[o];
}

extern "C" void conv2d_valid(int n, const float* image, const float* kernel, float* out) {
    const int size = n - kSide + 1;
    if (size <= 0) return;
    const dim3 blocks((size - 1) / kColumns + 1, (size - 1) / kRows + 1);
    convolve<<<blocks, dim3(kColumns, kStrips)>>>(n, size, image, kernel, out);
}
