// Stereo: a block has four lines, which share eight lines of the pictures where four blocks would bring in twenty.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRows = 4, kBefore = 64, kWide = 256 + kBefore + 4;

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
    __shared__ uint8_t a[kRows + 4][kWide], b[kRows + 4][kWide];
    __shared__ uint32_t rows[kRows][256 + kBefore];
    const int from = blockIdx.x * 256, line = threadIdx.y, y = blockIdx.y * kRows + line, x = from + 4 * threadIdx.x, t = line * 64 + threadIdx.x;
    for (int i = t; i < (kRows + 4) * kWide; i += 64 * kRows) {
        const int v = min(max((int)blockIdx.y * kRows + i / kWide - 2, 0), height - 1), u = min(max(from - kBefore - 2 + i % kWide, 0), width - 1);
        a[i / kWide][i % kWide] = left[v * width + u];
        b[i / kWide][i % kWide] = right[v * width + u];
    }
    __syncthreads();
    uint32_t* row = rows[line];
    for (int i = threadIdx.x; i < 256 + kBefore; i += 64) row[i] = census(b + line, i + 2);
    __syncthreads();
    if (x >= width || y >= height) return;
    const int k = kBefore + 4 * threadIdx.x;
    uint32_t own[4], met[4];
    int best[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) own[j] = census(a + line, k + j + 2), met[j] = row[k + j], best[j] = 25 << 8;
    if (x >= disparities) {  // all candidates are within the picture
#pragma unroll 4
        for (int d = 0; d < disparities; ++d) {
#pragma unroll
            for (int j = 0; j < 4; ++j) best[j] = min(best[j], __popc(own[j] ^ met[j]) << 8 | d);
#pragma unroll
            for (int j = 3; j > 0; --j) met[j] = met[j - 1];
            met[0] = row[k - d - 1];
        }
    } else {
        for (int d = 0; d < min(disparities, x + 4); ++d) {
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (d <= x + j) best[j] = min(best[j], __popc(own[j] ^ met[j]) << 8 | d);
#pragma unroll
            for (int j = 3; j > 0; --j) met[j] = met[j - 1];
            met[0] = row[k - d - 1];
        }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        if (x + j >= width) break;
        disparity[y * width + x + j] = best[j] & 255;
        cost[y * width + x + j] = best[j] >> 8;
    }
}

extern "C" void census_stereo(int height, int width, int disparities, const uint8_t* left, const uint8_t* right, uint8_t* disparity, uint8_t* cost) {
    match<<<dim3((width + 255) / 256, (height + kRows - 1) / kRows), dim3(64, kRows)>>>(height, width, disparities, left, right, disparity, cost);
}
