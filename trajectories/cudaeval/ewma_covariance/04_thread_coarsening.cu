// Covariances: a block measures eight portfolios on a slab of rows, so that an element of the matrix that was read serves all eight.
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

constexpr int kTogether = 8, kSlab = 64;  // portfolios of a block, rows of the matrix that it goes through

// part[slab][p]: what a slab of rows gives to the variance of portfolio p.
__global__ void measure(int assets, int portfolios, const double* __restrict__ weight, const double* __restrict__ covariance, double* __restrict__ part) {
    __shared__ double sum[8][kTogether];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = blockIdx.x * kTogether, top = blockIdx.y * kSlab;
    double variance[kTogether] = {};
    for (int i = top + warp; i < min(top + kSlab, assets); i += 8) {
        double row[kTogether] = {};
        for (int j = lane; j < assets; j += 32) {
            const double c = covariance[(size_t)i * assets + j];
#pragma unroll
            for (int q = 0; q < kTogether; ++q) row[q] += c * weight[(size_t)min(first + q, portfolios - 1) * assets + j];
        }
#pragma unroll
        for (int q = 0; q < kTogether; ++q) variance[q] += weight[(size_t)min(first + q, portfolios - 1) * assets + i] * row[q];
    }
#pragma unroll
    for (int q = 0; q < kTogether; ++q) {
        for (int apart = 16; apart > 0; apart /= 2) variance[q] += __shfl_xor_sync(0xffffffffu, variance[q], apart);
        if (lane == 0) sum[warp][q] = variance[q];
    }
    __syncthreads();
    const int q = threadIdx.x;
    if (q >= kTogether || first + q >= portfolios) return;
    double all = 0;
    for (int w = 0; w < 8; ++w) all += sum[w][q];
    part[(size_t)blockIdx.y * portfolios + first + q] = all;
}

__global__ void finish(int slabs, int portfolios, const double* part, double* risk) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= portfolios) return;
    double variance = 0;
    for (int k = 0; k < slabs; ++k) variance += part[(size_t)k * portfolios + p];
    risk[p] = sqrt(fmax(variance, 0.0));
}

extern "C" void ewma_covariance(int days, int assets, int portfolios, double decay, const double* returns, const double* weight, double* covariance, double* risk) {
    const int slabs = (assets + kSlab - 1) / kSlab;
    double* part = nullptr;
    cudaMallocAsync(&part, sizeof(double) * slabs * portfolios, 0);
    update<<<dim3((assets + 31) / 32, (assets + 31) / 32), dim3(32, 8)>>>(days, assets, decay, returns, covariance);
    measure<<<dim3((portfolios + kTogether - 1) / kTogether, slabs), 256>>>(assets, portfolios, weight, covariance, part);
    finish<<<(portfolios + 127) / 128, 128>>>(slabs, portfolios, part, risk);
    cudaFreeAsync(part, 0);
}
