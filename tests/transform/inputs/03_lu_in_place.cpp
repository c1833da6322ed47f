// LU factorisation without pivoting, in place, of a matrix that is first made diagonally dominant by a shift.
void lu_in_place(int n, double* a) {
    for (int d = 0; d < n; d++)
        a[d * n + d] += 4.0 * n;
    for (int k = 0; k < n - 1; k++) {
        double pivot = a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= pivot;
            double factor = a[i * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
}
