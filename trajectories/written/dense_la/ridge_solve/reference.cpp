// One ridge regression per customer: solves (G + ridge I) x = r by Cholesky, where G is k x k, symmetric and row-major.
// Only the lower triangle of G is read.
#include <cmath>

void ridge_solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    for (int b = 0; b < batch; ++b) {
        const float* G = gram + (long long)b * k * k;
        float L[32][32];
        float y[32];
        for (int i = 0; i < k; ++i) {
            for (int j = 0; j <= i; ++j) {
                float s = G[i * k + j];
                if (i == j) s += ridge[b];
                for (int p = 0; p < j; ++p) s -= L[i][p] * L[j][p];
                L[i][j] = i == j ? std::sqrt(s) : s / L[j][j];
            }
        }
        for (int i = 0; i < k; ++i) {
            float s = rhs[b * k + i];
            for (int p = 0; p < i; ++p) s -= L[i][p] * y[p];
            y[i] = s / L[i][i];
        }
        for (int i = k - 1; i >= 0; --i) {
            float s = y[i];
            for (int p = i + 1; p < k; ++p) s -= L[p][i] * x[b * k + p];
            x[b * k + i] = s / L[i][i];
        }
    }
}
