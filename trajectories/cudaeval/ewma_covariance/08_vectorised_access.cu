// Covariances: neighbouring returns are read from shared memory two at a time.
#include <cuda_runtime.h>

__global__ void update(int days, int assets, double decay, const double* __restrict__ returns, double* __restrict__ covariance) {
    if (blockIdx.x < blockIdx.y) return;
    __shared__ double2 a[16][16], b[16][16];
    const int left = blockIdx.x * 32, top = blockIdx.y * 32, x = threadIdx.x, y = threadIdx.y, thread = y * 8 + x;
    __shared__ double share[17];  // (1 - decay) decay^k; the last one is decay^16 alone
    if (thread == 0) {
        double power = 1;
        for (int k = 0; k < 16; ++k, power *= decay) share[k] = (1 - decay) * power;
        share[16] = power;
    }
    __syncthreads();
    double sum[4][4] = {};
    const int rest = days % 16;  // a shorter tile comes first, so that what came before a tile always fades by sixteen days
    for (int from = 0, count = rest ? rest : 16; from < days; from += count, count = 16) {
        for (int e = thread; e < 32 * count; e += 64) {
            const double* row = returns + (size_t)(from + e / 32) * assets;
            reinterpret_cast<double*>(a[e / 32])[e % 32] = top + e % 32 < assets ? share[count - 1 - e / 32] * row[top + e % 32] : 0;
            reinterpret_cast<double*>(b[e / 32])[e % 32] = left + e % 32 < assets ? row[left + e % 32] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j) sum[i][j] *= share[16];
        for (int t = 0; t < count; ++t) {
            const double2 p0 = a[t][y], p1 = a[t][y + 8], q0 = b[t][x], q1 = b[t][x + 8];
            const double p[4] = {p0.x, p0.y, p1.x, p1.y}, q[4] = {q0.x, q0.y, q1.x, q1.y};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[i][j] += p[i] * q[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int r = top + 2 * y + i % 2 + i / 2 * 16, c = left + 2 * x + j % 2 + j / 2 * 16;
            if (r >= assets || c >= assets) continue;
            covariance[(size_t)r * assets + c] = sum[i][j];
            if (left != top) covariance[(size_t)c * assets + r] = sum[i][j];
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
    update<<<dim3((assets + 31) / 32, (assets + 31) / 32), dim3(8, 8)>>>(days, assets, decay, returns, covariance);
    measure<<<dim3((portfolios + kTogether - 1) / kTogether, slabs), 256>>>(assets, portfolios, weight, covariance, part);
    finish<<<(portfolios + 127) / 128, 128>>>(slabs, portfolios, part, risk);
    cudaFreeAsync(part, 0);
}
