// Blobs: all four blurs and the search on one tile with a rim of nine; neither levels nor bands leave shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBands = 4;

__device__ int held(int i, int end) { return min(max(i, 0), end - 1); }

__device__ constexpr int binomial(int i) { return i == 2 ? 6 : i == 0 || i == 4 ? 1 : 4; }

constexpr int kTile = 32, kRim = 9, kSide = kTile + 2 * kRim, kThreads = 512;

// Rounds of blurring inside a tile: each round the good part shrinks by two on every side. A band is kept where extrema need it.
__global__ void __launch_bounds__(kThreads)
    find_blobs(int height, int width, int threshold, const uint8_t* pixel, uint32_t* blob, int32_t* blobs) {
    __shared__ uint16_t level[kSide][kSide];
    __shared__ uint32_t across[kSide][kSide];
    __shared__ int16_t band[kBands][kTile + 2][kTile + 2];
    const int left = blockIdx.x * kTile - kRim, top = blockIdx.y * kTile - kRim;
    for (int i = threadIdx.x; i < kSide * kSide; i += kThreads) {
        const int v = i / kSide, u = i % kSide;
        level[v][u] = pixel[(size_t)held(top + v, height) * width + held(left + u, width)] << 3;
    }
    __syncthreads();
    const int right = min(width - 1 - left, kSide - 1), bottom = min(height - 1 - top, kSide - 1);
    const int first_u = max(-left, 0), first_v = max(-top, 0);
#pragma unroll
    for (int k = 0; k < kBands; ++k) {
        const int rim = 2 * k + 2, inner = kSide - 2 * rim;
        for (int i = threadIdx.x; i < (inner + 4) * inner; i += kThreads) {
            const int v = rim - 2 + i / inner, u = rim + i % inner;
            uint32_t part = 0;
#pragma unroll
            for (int j = 0; j < 5; ++j) part += binomial(j) * level[v][min(max(u + j - 2, first_u), right)];
            across[v][u] = part;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < inner * inner; i += kThreads) {
            const int v = rim + i / inner, u = rim + i % inner;
            uint32_t sum = 128;
#pragma unroll
            for (int j = 0; j < 5; ++j) sum += binomial(j) * across[min(max(v + j - 2, first_v), bottom)][u];
            const int by = v - kRim + 1, bx = u - kRim + 1, before = level[v][u];
            if (by >= 0 && bx >= 0 && by < kTile + 2 && bx < kTile + 2) band[k][by][bx] = (k + 1) * (k + 1) * ((int)(sum >> 8) - before);
            level[v][u] = sum >> 8;
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
        const int v = i / kTile, u = i % kTile, x = blockIdx.x * kTile + u, y = blockIdx.y * kTile + v;
        if (x < 1 || y < 1 || x + 1 >= width || y + 1 >= height) continue;
        for (int k = 1; k <= 2; ++k) {
            const int own = band[k][v + 1][u + 1];
            bool extreme = abs(own) >= threshold;
            for (int j = 0; j < 27 && extreme; ++j) {
                if (j == 13) continue;
                const int value = band[k + j / 9 - 1][v + j % 9 / 3][u + j % 3];
                extreme = own > 0 ? value < own : value > own;
            }
            if (extreme) blob[atomicAdd(blobs, 1)] = 2 * ((size_t)y * width + x) + k - 1;
        }
    }
}

extern "C" void blob_extrema(int height, int width, int threshold, const uint8_t* pixel, uint32_t* blob, int32_t* blobs) {
    const dim3 tiles((width - 1) / kTile + 1, (height - 1) / kTile + 1);
    cudaMemsetAsync(blobs, 0, sizeof(int32_t));
    find_blobs<<<tiles, kThreads>>>(height, width, threshold, pixel, blob, blobs);
}
