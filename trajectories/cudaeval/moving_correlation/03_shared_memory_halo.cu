// Correlation: 256 lags' samples and the pattern stand in shared memory; sums stay within 32 bits wherever they can.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float score_of(long long dot, long long spread, long long own) {
    const double scale = (double)spread * (double)own;
    return scale > 0 ? (float)(dot / sqrt(scale)) : 0.0f;
}

// the first lag with the greatest dot, over a block; dots and lags in two rounds of reductions
__device__ void settle(long long most, int at, int* best) {
    __shared__ long long part[8];
    __shared__ int where[8];
    for (int apart = 16; apart > 0; apart /= 2) {
        const long long other = __shfl_xor_sync(0xffffffffu, most, apart);
        const int there = __shfl_xor_sync(0xffffffffu, at, apart);
        if (other > most || (other == most && there < at)) most = other, at = there;
    }
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = most, where[threadIdx.x / 32] = at;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < blockDim.x / 32; ++w)
        if (part[w] > most || (part[w] == most && where[w] < at)) most = part[w], at = where[w];
    *best = at;
}

constexpr int kMost = 512;

__global__ void correlate(int n, int m, const int16_t* __restrict__ x, const int16_t* __restrict__ pattern, float* __restrict__ score, int* best) {
    __shared__ int tile[256 + kMost], own[kMost];
    const int16_t* row = x + (size_t)blockIdx.x * n;
    for (int k = threadIdx.x; k < m; k += 256) own[k] = pattern[k];
    __syncthreads();
    long long ps = 0, pq = 0, most = -(1ll << 62);
    int at = 0x7fffffff;
    for (int k = 0; k < m; ++k) ps += own[k], pq += own[k] * own[k];
    for (int from = 0; from + m <= n; from += 256) {
        __syncthreads();
        for (int k = threadIdx.x; k < 256 + m - 1; k += 256) tile[k] = from + k < n ? row[from + k] : 0;
        __syncthreads();
        const int lag = from + threadIdx.x;
        if (lag + m > n) continue;
        int sum = 0;
        long long squares = 0, products = 0;
        for (int k = 0; k < m; ++k) {
            const int value = tile[threadIdx.x + k];
            sum += value;
            squares += value * value;
            products += value * own[k];
        }
        const long long dot = m * products - sum * ps;
        score[(size_t)blockIdx.x * (n - m + 1) + lag] = score_of(dot, m * squares - (long long)sum * sum, m * pq - ps * ps);
        if (dot > most) most = dot, at = lag;
    }
    settle(most, at, best + blockIdx.x);
}

extern "C" void moving_correlation(int channels, int n, int m, const int16_t* x, const int16_t* pattern, float* score, int32_t* best) {
    correlate<<<channels, 256>>>(n, m, x, pattern, score, best);
}
