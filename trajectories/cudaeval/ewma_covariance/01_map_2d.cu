// Covariances: one pair of assets a thread goes through all days; one portfolio a thread.
#include <cuda_runtime.h>

__global__ void update(int days, int assets, double decay, const double* returns, double* covariance) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= assets || j >= assets) return;
    double sum = 0;
    for (int t = 0; t < days; ++t) sum = decay * sum + (1 - decay) * returns[(size_t)t * assets + i] * returns[(size_t)t * assets + j];
    covariance[(size_t)i * assets + j] = sum;
}

__global__ void measure(int assets, int portfolios, const double* weight, const double* covariance, double* risk) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= portfolios) return;
    const double* w = weight + (size_t)p * assets;
    double variance = 0;
    for (int i = 0; i < assets; ++i)
        for (int j = 0; j < assets; ++j) variance += w[i] * covariance[(size_t)i * assets + j] * w[j];
    risk[p] = sqrt(fmax(variance, 0.0));
}

extern "C" void ewma_covariance(int days, int assets, int portfolios, double decay, const double* returns, const double* weight, double* covariance, double* risk) {
    update<<<dim3((assets + 31) / 32, (assets + 7) / 8), dim3(32, 8)>>>(days, assets, decay, returns, covariance);
    measure<<<(portfolios + 31) / 32, 32>>>(assets, portfolios, weight, covariance, risk);
}
