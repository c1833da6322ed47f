// Median of 5 x 5 pixels: one pixel a thread, the window sorted by insertion.
#include <cuda_runtime.h>

__device__ int clamp_to(int value, int last) { return min(max(value, 0), last); }

__global__ void median(int height, int width, const unsigned char* pixel, unsigned char* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned char sorted[25];
    int count = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        const unsigned char* row = pixel + (size_t)clamp_to(y + dy, height - 1) * width;
        for (int dx = -2; dx <= 2; ++dx) {
            const unsigned char value = row[clamp_to(x + dx, width - 1)];
            int at = count++;
            for (; at > 0 && sorted[at - 1] > value; --at) sorted[at] = sorted[at - 1];
            sorted[at] = value;
        }
    }
    out[(size_t)y * width + x] = sorted[12];
}

extern "C" void median_5x5(int height, int width, const unsigned char* pixel, unsigned char* out) {
    median<<<dim3((width - 1) / 32 + 1, (height - 1) / 8 + 1), dim3(32, 8)>>>(height, width, pixel, out);
}
