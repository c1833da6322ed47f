#include <cmath>

// Cholesky factor of the 10 x 10 matrix, then two triangular solves.
static void solve(double* a, double* b, float* beta) {
    for (int j = 0; j < 10; j++) {
        for (int k = 0; k < j; k++) a[j * 10 + j] -= a[j * 10 + k] * a[j * 10 + k];
        a[j * 10 + j] = sqrt(a[j * 10 + j]);
        for (int i = j + 1; i < 10; i++) {
            for (int k = 0; k < j; k++) a[i * 10 + j] -= a[i * 10 + k] * a[j * 10 + k];
            a[i * 10 + j] /= a[j * 10 + j];
        }
    }
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < i; k++) b[i] -= a[i * 10 + k] * b[k];
        b[i] /= a[i * 10 + i];
    }
    for (int i = 9; i >= 0; i--) {
        for (int k = i + 1; k < 10; k++) b[i] -= a[k * 10 + i] * b[k];
        b[i] /= a[i * 10 + i];
        beta[i] = b[i];
    }
}

void least_squares(int n, const float* x, const float* y, float* beta) {
    double a[100] = {}, b[10] = {};
    for (int row = 0; row < n; row++)
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) a[i * 10 + j] += (double)x[row * 10 + i] * x[row * 10 + j];
            b[i] += (double)x[row * 10 + i] * y[row];
        }
    solve(a, b, beta);
}
