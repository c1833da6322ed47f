// shape: a = n * n
// check: n=1; n=4; n=9
#include <cmath>
void cholesky(int n, double* a) {
    for (int k = 0; k < n; k++) {
        a[k * n + k] = sqrt(fabs(a[k * n + k]) + 4.0 * n);
        for (int i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
        for (int j = k + 1; j < n; j++)
            for (int i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
}
