// Rolling regression on the market: one thread a window, then one thread an asset.
#include <cuda_runtime.h>

#include <cstdint>

// From the sums of a window to slope and correlation.
__device__ float2 fit(int window, int x, int m, int xx, int xm, int mm) {
    const int64_t shared = (int64_t)window * xm - (int64_t)x * m;
    const int64_t risk = (int64_t)window * xx - (int64_t)x * x, base = (int64_t)window * mm - (int64_t)m * m;
    if (base <= 0) return make_float2(0.0f, 0.0f);
    const float slope = (float)((double)shared / (double)base);
    return make_float2(slope, risk > 0 ? (float)((double)shared / sqrt((double)risk * (double)base)) : 0.0f);
}

__global__ void roll(int days, int window, const int16_t* asset, const int16_t* market, float* beta, float* correlation) {
    const int windows = days - window + 1, t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= windows) return;
    const int16_t* own = asset + (long long)blockIdx.y * days;
    int x = 0, m = 0, xx = 0, xm = 0, mm = 0;
    for (int k = t; k < t + window; ++k) {
        x += own[k];
        m += market[k];
        xx += own[k] * own[k];
        xm += own[k] * market[k];
        mm += market[k] * market[k];
    }
    const float2 found = fit(window, x, m, xx, xm, mm);
    beta[(long long)blockIdx.y * windows + t] = found.x;
    correlation[(long long)blockIdx.y * windows + t] = found.y;
}

__global__ void range(int assets, int windows, const float* beta, float* spread) {
    const int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= assets) return;
    const float* mine = beta + (long long)a * windows;
    float lowest = mine[0], highest = mine[0];
    for (int t = 1; t < windows; ++t) {
        lowest = fminf(lowest, mine[t]);
        highest = fmaxf(highest, mine[t]);
    }
    spread[a] = highest - lowest;
}

extern "C" void rolling_beta(int assets, int days, int window, const int16_t* asset, const int16_t* market, float* beta, float* correlation,
                             float* spread) {
    const int windows = days - window + 1;
    roll<<<dim3((windows - 1) / 256 + 1, assets), 256>>>(days, window, asset, market, beta, correlation);
    range<<<(assets - 1) / 64 + 1, 64>>>(assets, windows, beta, spread);
}
