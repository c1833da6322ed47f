// Local mean threshold; horizontal window sums, then running vertical sums down strips of 64 rows.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kColumns = 128;  // per block of the vertical kernel
constexpr int kStrip = 64;     // rows per thread there

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
    const int x = blockIdx.x * kColumns + threadIdx.x, y0 = blockIdx.y * kStrip;
    if (x >= width) return;
    const int columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
    int sum = 0;  // of rows y - radius .. y + radius - 1 when y begins
    for (int v = max(y0 - radius, 0); v < min(y0 + radius, height); ++v) sum += row_sum[(size_t)v * width + x];
    for (int y = y0; y < min(y0 + kStrip, height); ++y) {
        const int top = max(y - radius, 0), bottom = min(y + radius, height - 1);
        if (y + radius < height) sum += row_sum[(size_t)(y + radius) * width + x];
        const size_t i = (size_t)y * width + x;
        ink[i] = is_ink(page[i], (bottom - top + 1) * columns, sum, bias);
        if (y - radius >= 0) sum -= row_sum[(size_t)(y - radius) * width + x];
    }
}

extern "C" void local_threshold(int height, int width, int radius, int bias, const unsigned char* page,
                                unsigned char* ink) {
    dim3 grid((width - 1) / kBlockX + 1, (height - 1) / kBlockY + 1);
    int* row_sum = nullptr;
    cudaMalloc(&row_sum, (size_t)height * width * sizeof(int));
    sum_rows<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, radius, page, row_sum);
    dim3 strips((width - 1) / kColumns + 1, (height - 1) / kStrip + 1);
    threshold<<<strips, kColumns>>>(height, width, radius, bias, page, row_sum, ink);
    cudaFree(row_sum);
}
