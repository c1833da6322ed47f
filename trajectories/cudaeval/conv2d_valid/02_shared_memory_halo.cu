// Convolution: a block keeps its part of the image, with a border of 23, and the kernel in shared memory.
#include <cuda_runtime.h>

constexpr int kSide = 24, kColumns = 32, kRows = 16, kThreads = kColumns * kRows;
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
    const int i = top + threadIdx.y, j = left + threadIdx.x;
    if (i >= size || j >= size) return;
    float sum = 0.0f;
    for (int u = 0; u < kSide; ++u)
#pragma unroll
        for (int v = 0; v < kSide; ++v) sum += tile[threadIdx.y + u][threadIdx.x + v] * weight[u][v];
    out[(long long)i * size + j] = sum;
}

extern "C" void conv2d_valid(int n, const float* image, const float* kernel, float* out) {
    const int size = n - kSide + 1;
    if (size <= 0) return;
    const dim3 blocks((size - 1) / kColumns + 1, (size - 1) / kRows + 1);
    convolve<<<blocks, dim3(kColumns, kRows)>>>(n, size, image, kernel, out);
}
