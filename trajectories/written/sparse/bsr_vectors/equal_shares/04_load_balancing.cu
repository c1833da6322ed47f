// Block-sparse product: every warp takes the same number of blocks, wherever rows begin and end.
#include <cuda_runtime.h>

constexpr int kVectors = 8;
constexpr int kGroups = 4;  // blocks that a warp works on at a time
constexpr int kWarps = 4;
constexpr int kShare = 64;  // blocks of a warp

// The block row that block b stands in: the last one that starts at or before it, so never an empty one.
__device__ int row_of(int b, int block_rows, const int* start) {
    int low = 0, high = block_rows;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (start[middle] <= b)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ void product(int blocks, int block_rows, int vectors, const int* start, const int* block_col, const double* block,
                        const double* X, double* Y) {
    int group = threadIdx.x % 32 / kVectors, v = threadIdx.x % kVectors;
    int begin = (blockIdx.x * kWarps + threadIdx.x / 32) * kShare;
    int end = min(begin + kShare, blocks);
    if (begin >= end) return;  // a whole warp
    for (int br = row_of(begin, block_rows, start); begin < end; ++br) {
        int row_end = start[br + 1], stop = min(row_end, end);
        if (stop <= begin) continue;  // an empty row inside the share
        double sum[4] = {};
        if (v < vectors) {
            for (int b = begin + group; b < stop; b += kGroups) {
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
        bool whole = start[br] == begin && stop == row_end;  // nobody else adds to this row
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            for (int distance = 16; distance >= kVectors; distance /= 2) sum[i] += __shfl_down_sync(0xffffffffu, sum[i], distance);
            if (group == 0 && v < vectors) {
                double* out = Y + (4ll * br + i) * vectors + v;
                if (whole)
                    *out = sum[i];
                else
                    atomicAdd(out, sum[i]);
            }
        }
        begin = stop;
    }
}

extern "C" void bsr_vectors(int block_rows, int block_cols, int blocks, int vectors, const int* start, const int* block_col,
                            const double* block,
                            const double* X, double* Y) {
    cudaMemsetAsync(Y, 0, 4ull * block_rows * vectors * sizeof(double));  // empty rows, and rows that several warps add to
    int shares = (blocks + kShare - 1) / kShare;
    if (shares > 0) product<<<(shares + kWarps - 1) / kWarps, kWarps * 32>>>(blocks, block_rows, vectors, start, block_col, block, X, Y);
}
