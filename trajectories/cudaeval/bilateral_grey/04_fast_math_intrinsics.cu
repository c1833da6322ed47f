// Bilateral filter: weights are the hardware's exponential of two multiply-adds.
#include <cuda_runtime.h>

constexpr int kRadius = 5;
constexpr int kAcross = 32, kDown = 8;
constexpr int kColumns = kAcross + 2 * kRadius, kRows = kDown + 2 * kRadius;  // in shared memory
constexpr float kOutside = 1e6f;  // a grey value

__global__ void smooth(int height, int width, float space, float range, const unsigned char* grey, float* out) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    __shared__ float tile[kRows][kColumns];
    for (int i = threadIdx.y * kAcross + threadIdx.x; i < kRows * kColumns; i += kAcross * kDown) {
        const int row = (int)blockIdx.y * kDown + i / kColumns - kRadius, column = (int)blockIdx.x * kAcross + i % kColumns - kRadius;
        const bool inside = row >= 0 && row < height && column >= 0 && column < width;
        tile[i / kColumns][i % kColumns] = inside ? grey[(size_t)row * width + column] : kOutside;
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    const float near_factor = -range, space_factor = -space;
    const float centre = tile[threadIdx.y + kRadius][threadIdx.x + kRadius];
    float weights = 0.0f, sum = 0.0f;
    for (int dy = -kRadius; dy <= kRadius; ++dy) {
        for (int dx = -kRadius; dx <= kRadius; ++dx) {
            const float near = tile[threadIdx.y + kRadius + dy][threadIdx.x + kRadius + dx];
            const float step = near - centre;
            const float w = __expf(step * step * near_factor + (dx * dx + dy * dy) * space_factor);
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
