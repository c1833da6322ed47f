// y = A x for a matrix in compressed row storage.

void csr_spmv(int rows, int cols, int nnz, const int* row_ptr, const int* col_idx, const float* values, const float* x,
              float* y) {
    (void)cols;
    (void)nnz;
    for (int row = 0; row < rows; ++row) {
        float sum = 0.0f;
        for (int k = row_ptr[row]; k < row_ptr[row + 1]; ++k) sum += values[k] * x[col_idx[k]];
        y[row] = sum;
    }
}
