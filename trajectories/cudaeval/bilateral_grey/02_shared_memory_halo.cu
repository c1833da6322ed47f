// Bilateral filter: the block's pixels and their rim of 5 wait in shared memory.
#include <cuda_runtime.h>

constexpr int kRadius = 5;
constexpr int kAcross = 32, kDown = 8;
constexpr int kColumns = kAcross + 2 * kRadius, kRows = kDown + 2 * kRadius;  // in shared memory

__global__ void smooth(int height, int width, float space, float range, const unsigned char* grey, float* out) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    __shared__ unsigned char tile[kRows][kColumns];
    for (int i = threadIdx.y * kAcross + threadIdx.x; i < kRows * kColumns; i += kAcross * kDown) {
        const int row = (int)blockIdx.y * kDown + i / kColumns - kRadius, column = (int)blockIdx.x * kAcross + i % kColumns - kRadius;
        const bool inside = row >= 0 && row < height && column >= 0 && column < width;
        tile[i / kColumns][i % kColumns] = inside ? grey[(size_t)row * width + column] : 0;
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    const float centre = tile[threadIdx.y + kRadius][threadIdx.x + kRadius];
    float weights = 0.0f, sum = 0.0f;
    for (int dy = -kRadius; dy <= kRadius; ++dy) {
        for (int dx = -kRadius; dx <= kRadius; ++dx) {
            if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width) continue;
            const float near = tile[threadIdx.y + kRadius + dy][threadIdx.x + kRadius + dx];
            const float w = expf(-(dx * dx + dy * dy) * space - (near - centre) * (near - centre) * range);
            weights += w;
            sum += w * near;
        }
    }
    out[(size_t)y * width + x] = sum / weights;
}

extern "C" void bilateral_grey(int height, int width, float space, float range, const unsigned char* grey, float* out) {
    const dim3 blocks((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    smooth<<<blocks, dim3(kAcross, kDown)>>>(height, width, space, range, grey, out);
}
