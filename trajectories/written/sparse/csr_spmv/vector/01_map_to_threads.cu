// CSR matrix-vector product, one thread per row.
#include <cuda_runtime.h>

__global__ void spmv(int rows, const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = row_ptr[row]; k < row_ptr[row + 1]; ++k) sum += values[k] * x[col_idx[k]];
    y[row] = sum;
}

extern "C" void csr_spmv(int rows, int cols, int nnz, const int* row_ptr, const int* col_idx, const float* values,
                         const float* x, float* y) {
    (void)cols;
    (void)nnz;
    const int threads = 256;
    spmv<<<(rows + threads - 1) / threads, threads>>>(rows, row_ptr, col_idx, values, x, y);
}
