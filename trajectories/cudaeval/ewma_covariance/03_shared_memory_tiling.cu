// Covariances: returns of sixteen days and of both sides' assets wait in shared memory; a thread has four pairs in registers.
#include <cuda_runtime.h>

__global__ void update(int days, int assets, double decay, const double* __restrict__ returns, double* __restrict__ covariance) {
    __shared__ double a[16][32], b[16][32];
    const int left = blockIdx.x * 32, top = blockIdx.y * 32;
    const double fresh = 1 - decay;
    double sum[4] = {};
    for (int from = 0; from < days; from += 16) {
        const int count = min(16, days - from);
        for (int t = threadIdx.y; t < count; t += 8) {
            const double* row = returns + (size_t)(from + t) * assets;
            a[t][threadIdx.x] = top + threadIdx.x < assets ? fresh * row[top + threadIdx.x] : 0;
            b[t][threadIdx.x] = left + threadIdx.x < assets ? row[left + threadIdx.x] : 0;
        }
        __syncthreads();
        for (int t = 0; t < count; ++t)
#pragma unroll
            for (int q = 0; q < 4; ++q) sum[q] = decay * sum[q] + a[t][threadIdx.y + 8 * q] * b[t][threadIdx.x];
        __syncthreads();
    }
    for (int q = 0; q < 4; ++q) {
        const int i = top + threadIdx.y + 8 * q, j = left + threadIdx.x;
        if (i < assets && j < assets) covariance[(size_t)i * assets + j] = sum[q];
    }
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
    update<<<dim3((assets + 31) / 32, (assets + 31) / 32), dim3(32, 8)>>>(days, assets, decay, returns, covariance);
    measure<<<portfolios, 256>>>(assets, weight, covariance, risk);
}
