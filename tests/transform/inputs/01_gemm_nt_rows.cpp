// C = alpha A B^T + beta C in double precision; both factors are stored by rows, so that every dot product runs along memory.
void gemm_nt_rows(int m, int n, int k, double alpha, const double *a, const double *b, double beta, double *c)
{
    for (int i = 0; i < m; ++i) {
        const double *row = a + i * k;
        for (int j = 0; j < n; ++j) {
            const double *other = b + j * k;
            double dot = 0.0;
            for (int p = 0; p < k; ++p)
                dot += row[p] * other[p];
            c[i * n + j] = alpha * dot + beta * c[i * n + j];
        }
    }
}
