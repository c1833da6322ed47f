#include <cmath>
#include <cstdlib>

void ewma_covariance(int days, int assets, int portfolios, double decay, const double *returns, const double *weight, double *covariance, double *risk)
{
    int t, i, j, p;

    for (i = 0; i < assets * assets; i++) covariance[i] = 0.0;
    for (t = 0; t < days; t++) {
        const double *r = returns + (long)t * assets;
        for (i = 0; i < assets; i++)
            for (j = 0; j < assets; j++) covariance[i * assets + j] = decay * covariance[i * assets + j] + (1.0 - decay) * r[i] * r[j];
    }
    for (p = 0; p < portfolios; p++) {
        const double *w = weight + (long)p * assets;
        double variance = 0.0;
        for (i = 0; i < assets; i++)
            for (j = 0; j < assets; j++) variance += w[i] * covariance[i * assets + j] * w[j];
        risk[p] = sqrt(variance > 0.0 ? variance : 0.0);
    }
}
