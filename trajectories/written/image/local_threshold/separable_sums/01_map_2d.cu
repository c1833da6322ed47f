// Local mean threshold, one thread per pixel that adds up its window.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__device__ unsigned char is_ink(int value, int area, int sum, int bias) {
    return 100 * value * area < (100 - bias) * sum;
}

__global__ void threshold(int height, int width, int radius, int bias, const unsigned char* page, unsigned char* ink) {
    const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    const int top = max(y - radius, 0), bottom = min(y + radius, height - 1);
    const int left = max(x - radius, 0), right = min(x + radius, width - 1);
    int sum = 0;
    for (int v = top; v <= bottom; ++v)
        for (int u = left; u <= right; ++u) sum += page[(size_t)v * width + u];
    const size_t i = (size_t)y * width + x;
    ink[i] = is_ink(page[i], (bottom - top + 1) * (right - left + 1), sum, bias);
}

extern "C" void local_threshold(int height, int width, int radius, int bias, const unsigned char* page,
                                unsigned char* ink) {
    dim3 grid((width - 1) / kBlockX + 1, (height - 1) / kBlockY + 1);
    threshold<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, radius, bias, page, ink);
}
