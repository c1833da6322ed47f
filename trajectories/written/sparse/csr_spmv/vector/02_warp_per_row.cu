// CSR matrix-vector product, one warp per row: lanes read consecutive entries of the row.
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kWarpsPerBlock = 8;

__global__ void spmv(int rows, const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y) {
    int lane = threadIdx.x % kWarp;
    int row = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarp;
    if (row >= rows) return;  // the whole warp leaves together

    int end = row_ptr[row + 1];
    float sum = 0.0f;
    for (int k = row_ptr[row] + lane; k < end; k += kWarp) sum += values[k] * x[col_idx[k]];

    for (int offset = kWarp / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) y[row] = sum;
}

extern "C" void csr_spmv(int rows, int cols, int nnz, const int* row_ptr, const int* col_idx, const float* values,
                         const float* x, float* y) {
    (void)cols;
    (void)nnz;
    const int blocks = (rows + kWarpsPerBlock - 1) / kWarpsPerBlock;
    spmv<<<blocks, kWarpsPerBlock * kWarp>>>(rows, row_ptr, col_idx, values, x, y);
}
