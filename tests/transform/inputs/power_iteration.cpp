// shape: a = n * n
// shape: v = n
// shape: w = n
// check: n=1,steps=1; n=20,steps=2
#include <cmath>
double power_iteration(int n, int steps, const double* a, double* v, double* w) {
    double norm = 0.0;
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) {
            w[i] = 0.0;
            for (int j = 0; j < n; j++) w[i] += a[i * n + j] * v[j];
        }
        norm = 1e-30;
        for (int i = 0; i < n; i++) norm += w[i] * w[i];
        for (int i = 0; i < n; i++) v[i] = w[i] / sqrt(norm);
    }
    return norm;
}
