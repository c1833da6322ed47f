// shape: row_ptr = n + 1
// shape: col = nnz
// shape: value = nnz
// shape: x = n
// shape: y = n
// init: row_ptr = row_ptr
// init: col = ints(0, n)
// check: n=1,nnz=1; n=40,nnz=75; n=300,nnz=500
void csr_matvec(int n, int nnz, const int* row_ptr, const int* col, const double* value, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++) s += value[k] * x[col[k]];
        y[i] = s;
    }
}
