// Stereo: one launch: a block makes the codes of its row's stretch in both pictures and matches them, so that no code is ever stored.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBefore = 64, kWide = 256 + kBefore + 4;

__device__ uint32_t census(const uint8_t (*tile)[kWide], int at) {
    const int own = tile[2][at];
    uint32_t code = 0;
    int bit = 0;
#pragma unroll
    for (int dy = 0; dy < 5; ++dy)
#pragma unroll
        for (int dx = -2; dx <= 2; ++dx)
            if (dy != 2 || dx != 0) code |= (uint32_t)(tile[dy][at + dx] < own) << bit++;
    return code;
}

__global__ void match(int height, int width, int disparities, const uint8_t* __restrict__ left, const uint8_t* __restrict__ right, uint8_t* __restrict__ disparity,
                      uint8_t* __restrict__ cost) {
    __shared__ uint8_t a[5][kWide], b[5][kWide];
    __shared__ uint32_t row[256 + kBefore];
    const int from = blockIdx.x * 256, y = blockIdx.y, x = from + threadIdx.x;
    for (int i = threadIdx.x; i < 5 * kWide; i += 256) {
        const int v = min(max(y + i / kWide - 2, 0), height - 1), u = min(max(from - kBefore - 2 + i % kWide, 0), width - 1);
        a[i / kWide][i % kWide] = left[v * width + u];
        b[i / kWide][i % kWide] = right[v * width + u];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256 + kBefore; i += 256) row[i] = census(b, i + 2);
    __syncthreads();
    if (x >= width) return;
    const uint32_t own = census(a, threadIdx.x + kBefore + 2);
    int best = 25 << 8;
    const int count = min(disparities, x + 1);
#pragma unroll 4
    for (int d = 0; d < count; ++d) best = min(best, __popc(own ^ row[kBefore + threadIdx.x - d]) << 8 | d);
    disparity[y * width + x] = best & 255;
    cost[y * width + x] = best >> 8;
}

extern "C" void census_stereo(int height, int width, int disparities, const uint8_t* left, const uint8_t* right, uint8_t* disparity, uint8_t* cost) {
    match<<<dim3((width + 255) / 256, height), 256>>>(height, width, disparities, left, right, disparity, cost);
}
