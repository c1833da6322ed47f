// Grouped products: tiles of 64 rows of one group by 64 columns through shared memory, sixteen outputs a thread; a tile finds its group by counting.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 64, kDeep = 16;

// Number `tile` of all groups' tiles of 64 rows: its first row, and the end of its group in `end`. Group -1 is what belongs to none.
__device__ int first_row(int tile, int groups, int rows, const int32_t* start, int& group, int& end) {
    for (int g = -1; g < groups; ++g) {
        const int begin = g < 0 ? 0 : start[g], stop = g + 1 < groups ? start[g + 1] : rows, tiles = (stop - begin + kTile - 1) / kTile;
        if (tile < tiles) {
            group = g;
            end = stop;
            return begin + tile * kTile;
        }
        tile -= tiles;
    }
    return -1;
}

__global__ void multiply(int groups, int rows, int inner, int cols, const int32_t* __restrict__ start, const float* __restrict__ a,
                         const float* __restrict__ w, float* __restrict__ c) {
    __shared__ float left[kDeep][kTile + 4], right[kDeep][kTile];
    int group = -1, end = 0;
    const int row = first_row(blockIdx.x, groups, rows, start, group, end), col = blockIdx.y * kTile;
    if (row < 0) return;
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sum[4][4] = {};
    for (int from = 0; group >= 0 && from < inner; from += kDeep) {
        for (int i = threadIdx.x; i < kTile * kDeep; i += 256) {
            const int r = row + i / kDeep, k = from + i % kDeep, deep = from + i / kTile, j = col + i % kTile;
            left[i % kDeep][i / kDeep] = r < end && k < inner ? a[(size_t)r * inner + k] : 0.0f;
            right[i / kTile][i % kTile] = deep < inner && j < cols ? w[((size_t)group * inner + deep) * cols + j] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDeep; ++k) {
            float own[4], other[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                own[i] = left[k][4 * y + i];
                other[i] = right[k][x + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[i][j] += own[i] * other[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int r = row + 4 * y + i, at = col + x + 16 * j;
            if (r < end && at < cols) c[(size_t)r * cols + at] = sum[i][j];
        }
}

extern "C" void grouped_products(int groups, int rows, int inner, int cols, const int32_t* start, const float* a, const float* w, float* c) {
    const int tiles = (rows + kTile - 1) / kTile + groups + 1;
    multiply<<<dim3(tiles, (cols + kTile - 1) / kTile), 256>>>(groups, rows, inner, cols, start, a, w, c);
}
