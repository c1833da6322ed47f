// Sparse matrix-vector product in ELLPACK form: slot k of row i is at [k * rows + i]; unused slots carry the column -1.
void ell_matvec(int rows, int cols, int slots, const int* column, const float* value, const float* x, float* y) {
    for (int i = 0; i < rows; i++) {
        float acc = 0.f;
        for (int k = 0; k < slots; k++) {
            const int c = column[k * rows + i];
            if (c < 0 || c >= cols) continue;
            acc += value[k * rows + i] * x[c];
        }
        y[i] = acc;
    }
}
