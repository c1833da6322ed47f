// Bilateral filter: a thread has four pixels in a column, so that a shared pixel is loaded once for all windows that it lies in.
#include <cuda_runtime.h>

constexpr int kRadius = 5;
constexpr int kAcross = 32, kLines = 8;
constexpr int kEach = 4;  // pixels of a thread, one below the other
constexpr int kDown = kLines * kEach;
constexpr int kColumns = kAcross + 2 * kRadius, kRows = kDown + 2 * kRadius;  // in shared memory
constexpr float kOutside = 1e6f;  // a grey value

__global__ void smooth(int height, int width, float space, float range, const unsigned char* grey, float* out) {
    const int x = blockIdx.x * kAcross + threadIdx.x, top = blockIdx.y * kDown + threadIdx.y * kEach;
    __shared__ float tile[kRows][kColumns];
    for (int i = threadIdx.y * kAcross + threadIdx.x; i < kRows * kColumns; i += kAcross * kLines) {
        const int row = (int)blockIdx.y * kDown + i / kColumns - kRadius, column = (int)blockIdx.x * kAcross + i % kColumns - kRadius;
        const bool inside = row >= 0 && row < height && column >= 0 && column < width;
        tile[i / kColumns][i % kColumns] = inside ? grey[(size_t)row * width + column] : kOutside;
    }
    __syncthreads();
    if (x >= width || top >= height) return;
    const float near_factor = -range;
    float apart[kRadius + 1];
#pragma unroll
    for (int d = 0; d <= kRadius; ++d) apart[d] = -space * d * d;
    float centre[kEach], weights[kEach] = {}, sum[kEach] = {};
#pragma unroll
    for (int k = 0; k < kEach; ++k) centre[k] = tile[threadIdx.y * kEach + k + kRadius][threadIdx.x + kRadius];
#pragma unroll
    for (int row = 0; row < kEach + 2 * kRadius; ++row) {
#pragma unroll
        for (int dx = -kRadius; dx <= kRadius; ++dx) {
            const float near = tile[threadIdx.y * kEach + row][threadIdx.x + kRadius + dx];
#pragma unroll
            for (int k = 0; k < kEach; ++k) {
                const int dy = row - kRadius - k;
                if (dy < -kRadius || dy > kRadius) continue;
                const float step = near - centre[k];
                const float w = __expf(step * step * near_factor + (apart[abs(dy)] + apart[abs(dx)]));
                weights[k] += w;
                sum[k] += w * near;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        if (top + k < height) out[(size_t)(top + k) * width + x] = sum[k] / weights[k];
    }
}

extern "C" void bilateral_grey(int height, int width, float space, float range, const unsigned char* grey, float* out) {
    const dim3 blocks((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    smooth<<<blocks, dim3(kAcross, kLines)>>>(height, width, space, range, grey, out);
}
