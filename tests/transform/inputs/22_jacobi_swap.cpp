// `sweeps` relaxation steps of the Laplace equation; the two buffers change places after each, and the result is copied home if need be.
void jacobi_swap(int n, int m, int sweeps, double* grid, double* work) {
    double *from = grid, *to = work;
    for (int p = 0; p < n * m; p++)
        work[p] = grid[p];
    for (int s = 0; s < sweeps; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                to[i * m + j] = 0.25 * (from[(i - 1) * m + j] + from[(i + 1) * m + j] + from[i * m + j - 1] + from[i * m + j + 1]);
        double* swap = from;
        from = to;
        to = swap;
    }
    if (from != grid)
        for (int p = 0; p < n * m; p++)
            grid[p] = from[p];
}
