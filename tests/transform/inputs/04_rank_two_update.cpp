#include <cstddef>

/* A += x y^T + y x^T, where only the upper triangle of A (row-major, leading dimension n) is touched. */
void rank_two_update(size_t n, const float* x, const float* y, float* a)
{
    size_t i, j;
    for (i = 0; i < n; i++) {
        const float xi = x[i], yi = y[i];
        for (j = i; j < n; j++) {
            a[i * n + j] += xi * y[j] + yi * x[j];
        }
    }
}
