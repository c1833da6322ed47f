// y = A x for a band matrix with `below` and `above` diagonals beside the main one; band[i * width + (j - i + below)] holds A[i][j].
static inline int larger(int a, int b) { return a > b ? a : b; }
static inline int smaller(int a, int b) { return a < b ? a : b; }

void band_matvec(int n, int below, int above, const double* band, const double* x, double* y) {
    const int width = below + above + 1;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = larger(0, i - below); j <= smaller(n - 1, i + above); j++)
            sum += band[i * width + j - i + below] * x[j];
        y[i] = sum;
    }
}
