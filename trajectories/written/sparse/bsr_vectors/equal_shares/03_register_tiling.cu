// Block-sparse product: a warp for each block row; eight lanes hold the vectors, four groups of them take every fourth block.
#include <cuda_runtime.h>

constexpr int kVectors = 8;
constexpr int kGroups = 4;  // blocks that a warp works on at a time
constexpr int kWarps = 4;

__global__ void product(int block_rows, int vectors, const int* start, const int* block_col, const double* block, const double* X,
                        double* Y) {
    int br = blockIdx.x * kWarps + threadIdx.x / 32, group = threadIdx.x % 32 / kVectors, v = threadIdx.x % kVectors;
    if (br >= block_rows) return;  // a whole warp
    double sum[4] = {};            // the four rows of this block row
    if (v < vectors) {
        for (int b = start[br] + group; b < start[br + 1]; b += kGroups) {
            const double* a = block + 16ll * b;
            const double* x = X + 4ll * block_col[b] * vectors + v;
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                double value = x[j * vectors];
#pragma unroll
                for (int i = 0; i < 4; ++i) sum[i] += a[4 * i + j] * value;
            }
        }
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        for (int distance = 16; distance >= kVectors; distance /= 2) sum[i] += __shfl_down_sync(0xffffffffu, sum[i], distance);
        if (group == 0 && v < vectors) Y[(4ll * br + i) * vectors + v] = sum[i];
    }
}

extern "C" void bsr_vectors(int block_rows, int block_cols, int blocks, int vectors, const int* start, const int* block_col,
                            const double* block,
                            const double* X, double* Y) {
    product<<<(block_rows + kWarps - 1) / kWarps, kWarps * 32>>>(block_rows, vectors, start, block_col, block, X, Y);
}
