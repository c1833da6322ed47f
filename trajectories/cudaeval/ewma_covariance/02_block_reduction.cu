// Covariances: a block takes a portfolio, its warps rows of the matrix.
#include <cuda_runtime.h>

__global__ void update(int days, int assets, double decay, const double* returns, double* covariance) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= assets || j >= assets) return;
    double sum = 0;
    for (int t = 0; t < days; ++t) sum = decay * sum + (1 - decay) * returns[(size_t)t * assets + i] * returns[(size_t)t * assets + j];
    covariance[(size_t)i * assets + j] = sum;
}

__global__ void measure(int assets, const double* __restrict__ weight, const double* __restrict__ covariance, double* risk) {
    __shared__ double part[8];
    const double* w = weight + (size_t)blockIdx.x * assets;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double variance = 0;
    for (int i = warp; i < assets; i += 8) {
        double row = 0;
        for (int j = lane; j < assets; j += 32) row += covariance[(size_t)i * assets + j] * w[j];
        variance += w[i] * row;
    }
    for (int apart = 16; apart > 0; apart /= 2) variance += __shfl_xor_sync(0xffffffffu, variance, apart);
    if (lane == 0) part[warp] = variance;
    __syncthreads();
    if (threadIdx.x) return;
    for (int k = 1; k < 8; ++k) variance += part[k];
    risk[blockIdx.x] = sqrt(fmax(variance, 0.0));
}

extern "C" void ewma_covariance(int days, int assets, int portfolios, double decay, const double* returns, const double* weight, double* covariance, double* risk) {
    update<<<dim3((assets + 31) / 32, (assets + 7) / 8), dim3(32, 8)>>>(days, assets, decay, returns, covariance);
    measure<<<portfolios, 256>>>(assets, weight, covariance, risk);
}
