// CSR matrix-vector product, LANES threads per row; a fixed number of warps draw rows from a counter until none is left.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kMaxBlocks = 1024;  // enough to fill the device; more would only queue

template <int LANES>
__global__ void spmv(int rows, const int* __restrict__ row_ptr, const int* __restrict__ col_idx,
                     const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y,
                     unsigned int* next_row) {
    constexpr int kRowsPerWarp = kWarp / LANES;
    int lane = threadIdx.x % LANES;
    int group = threadIdx.x % kWarp / LANES;

    while (true) {
        unsigned int first = 0;
        if (threadIdx.x % kWarp == 0) first = atomicAdd(next_row, (unsigned int)kRowsPerWarp);
        first = __shfl_sync(0xffffffffu, first, 0);
        if (first >= (unsigned int)rows) return;  // the whole warp sees the same value
        int row = (int)first + group;

        // A group past the last row gets an empty range: its lanes must stay for the full-mask shuffles below.
        int begin = row < rows ? __ldg(row_ptr + row) : 0;
        int end = row < rows ? __ldg(row_ptr + row + 1) : 0;
        float sum = 0.0f;
        for (int k = begin + lane; k < end; k += LANES) sum += __ldg(values + k) * __ldg(x + __ldg(col_idx + k));

        for (int offset = LANES / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, LANES);
        if (lane == 0 && row < rows) y[row] = sum;
    }
}

template <int LANES>
void launch(int rows, const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y) {
    const int rows_per_block = kThreads / LANES;
    const int needed = (rows + rows_per_block - 1) / rows_per_block;
    const int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    unsigned int* next_row = nullptr;
    cudaMalloc(&next_row, sizeof(*next_row));
    cudaMemsetAsync(next_row, 0, sizeof(*next_row));
    spmv<LANES><<<blocks, kThreads>>>(rows, row_ptr, col_idx, values, x, y, next_row);
    cudaFree(next_row);
}

extern "C" void csr_spmv(int rows, int cols, int nnz, const int* row_ptr, const int* col_idx, const float* values,
                         const float* x, float* y) {
    (void)cols;
    int mean = nnz / rows;
    if (mean <= 4) {
        launch<2>(rows, row_ptr, col_idx, values, x, y);
    } else if (mean <= 8) {
        launch<4>(rows, row_ptr, col_idx, values, x, y);
    } else if (mean <= 16) {
        launch<8>(rows, row_ptr, col_idx, values, x, y);
    } else if (mean <= 64) {
        launch<16>(rows, row_ptr, col_idx, values, x, y);
    } else {
        launch<32>(rows, row_ptr, col_idx, values, x, y);
    }
}
