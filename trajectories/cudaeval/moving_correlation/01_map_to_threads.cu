// Correlation: one recording a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float score_of(long long dot, long long spread, long long own) {
    const double scale = (double)spread * (double)own;
    return scale > 0 ? (float)(dot / sqrt(scale)) : 0.0f;
}

__global__ void correlate(int channels, int n, int m, const int16_t* x, const int16_t* pattern, float* score, int* best) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    const int16_t* row = x + (size_t)c * n;
    long long ps = 0, pq = 0, most = -(1ll << 62);
    for (int k = 0; k < m; ++k) ps += pattern[k], pq += pattern[k] * pattern[k];
    for (int lag = 0; lag + m <= n; ++lag) {
        long long sum = 0, squares = 0, products = 0;
        for (int k = 0; k < m; ++k) {
            sum += row[lag + k];
            squares += row[lag + k] * row[lag + k];
            products += row[lag + k] * pattern[k];
        }
        const long long dot = m * products - sum * ps;
        score[(size_t)c * (n - m + 1) + lag] = score_of(dot, m * squares - sum * sum, m * pq - ps * ps);
        if (dot > most) most = dot, best[c] = lag;
    }
}

extern "C" void moving_correlation(int channels, int n, int m, const int16_t* x, const int16_t* pattern, float* score, int32_t* best) {
    correlate<<<(channels + 31) / 32, 32>>>(channels, n, m, x, pattern, score, best);
}
