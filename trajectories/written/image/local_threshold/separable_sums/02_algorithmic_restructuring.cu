// Local mean threshold; horizontal window sums into scratch, then vertical ones.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__device__ unsigned char is_ink(int value, int area, int sum, int bias) {
    return 100 * value * area < (100 - bias) * sum;
}

__global__ void sum_rows(int height, int width, int radius, const unsigned char* page, int* row_sum) {
    const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    const size_t row = (size_t)y * width;
    int sum = 0;
    for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); ++u) sum += page[row + u];
    row_sum[row + x] = sum;
}

__global__ void threshold(int height, int width, int radius, int bias, const unsigned char* page, const int* row_sum,
                          unsigned char* ink) {
    const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    const int top = max(y - radius, 0), bottom = min(y + radius, height - 1);
    const int left = max(x - radius, 0), right = min(x + radius, width - 1);
    int sum = 0;
    for (int v = top; v <= bottom; ++v) sum += row_sum[(size_t)v * width + x];
    const size_t i = (size_t)y * width + x;
    ink[i] = is_ink(page[i], (bottom - top + 1) * (right - left + 1), sum, bias);
}

extern "C" void local_threshold(int height, int width, int radius, int bias, const unsigned char* page,
                                unsigned char* ink) {
    dim3 grid((width - 1) / kBlockX + 1, (height - 1) / kBlockY + 1);
    int* row_sum = nullptr;
    cudaMalloc(&row_sum, (size_t)height * width * sizeof(int));
    sum_rows<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, radius, page, row_sum);
    threshold<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, radius, bias, page, row_sum, ink);
    cudaFree(row_sum);
}
