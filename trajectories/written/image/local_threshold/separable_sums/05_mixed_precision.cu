// Local mean threshold; horizontal sums in 16 bits, then running vertical sums down strips of 64 rows.
#include <cuda_runtime.h>

constexpr int kOutputs = 256, kMargin = 32;  // of a block of the horizontal kernel; the radius is at most 31
constexpr int kScanned = kOutputs + 2 * kMargin;
constexpr int kColumns = 128;  // per block of the vertical kernel
constexpr int kStrip = 64;     // rows per thread there

__device__ unsigned char is_ink(int value, int area, int sum, int bias) {
    return 100 * value * area < (100 - bias) * sum;
}

__global__ void sum_rows(int width, int radius, const unsigned char* page, unsigned short* row_sum) {
    __shared__ int running[kScanned], warp_total[kScanned / 32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int x = blockIdx.x * kOutputs + t - kMargin;
    const size_t row = (size_t)blockIdx.y * width;
    int total = x >= 0 && x < width ? page[row + x] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, total, distance);
        if (lane >= distance) total += before;
    }
    if (lane == 31) warp_total[warp] = total;
    __syncthreads();
    for (int w = 0; w < warp; ++w) total += warp_total[w];
    running[t] = total;
    __syncthreads();
    if (t >= kMargin && t < kMargin + kOutputs && x < width)
        row_sum[row + x] = (unsigned short)(running[t + radius] - running[t - radius - 1]);
}

__global__ void threshold(int height, int width, int radius, int bias, const unsigned char* page,
                          const unsigned short* row_sum, unsigned char* ink) {
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
    dim3 segments((width - 1) / kOutputs + 1, height);
    unsigned short* row_sum = nullptr;
    cudaMalloc(&row_sum, (size_t)height * width * sizeof(unsigned short));
    sum_rows<<<segments, kScanned>>>(width, radius, page, row_sum);
    dim3 strips((width - 1) / kColumns + 1, (height - 1) / kStrip + 1);
    threshold<<<strips, kColumns>>>(height, width, radius, bias, page, row_sum, ink);
    cudaFree(row_sum);
}
