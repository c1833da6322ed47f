// One forward sweep of Gauss-Seidel with a source term: every point sees the new values above and to its left.
void gauss_seidel_sweep(int rows, int cols, const float* source, float* u) {
    for (int i = 1; i + 1 < rows; ++i) {
        for (int j = 1; j + 1 < cols; ++j) {
            const int here = i * cols + j;
            u[here] = 0.25f * (u[here - cols] + u[here + cols] + u[here - 1] + u[here + 1] - source[here]);
        }
    }
}
