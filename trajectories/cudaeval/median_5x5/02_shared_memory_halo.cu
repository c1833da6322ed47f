// Median of 5 x 5 pixels: the block's pixels and their rim wait in shared memory, borders already clamped.
#include <cuda_runtime.h>

__device__ int clamp_to(int value, int last) { return min(max(value, 0), last); }

__global__ void median(int height, int width, const unsigned char* pixel, unsigned char* out) {
    __shared__ unsigned char tile[8 + 4][32 + 4];
    const int left = blockIdx.x * 32, top = blockIdx.y * 8;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < (8 + 4) * (32 + 4); i += 256) {
        const int row = i / (32 + 4), col = i % (32 + 4);
        tile[row][col] = pixel[(size_t)clamp_to(top + row - 2, height - 1) * width + clamp_to(left + col - 2, width - 1)];
    }
    __syncthreads();
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned char sorted[25];
    int count = 0;
    for (int dy = 0; dy < 5; ++dy) {
        for (int dx = 0; dx < 5; ++dx) {
            const unsigned char value = tile[threadIdx.y + dy][threadIdx.x + dx];
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
