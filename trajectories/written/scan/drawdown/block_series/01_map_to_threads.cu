// Drawdown: a thread for each series.
#include <cuda_runtime.h>

__global__ void fall(int series, int days, const float* price, float* below, float* worst) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= series) return;
    const float* p = price + (size_t)s * days;
    float high = p[0], deepest = 0.0f;
    for (int d = 0; d < days; ++d) {
        high = fmaxf(high, p[d]);
        float depth = (high - p[d]) / high;
        below[(size_t)s * days + d] = depth;
        deepest = fmaxf(deepest, depth);
    }
    worst[s] = deepest;
}

extern "C" void drawdown(int series, int days, const float* price, float* below, float* worst) {
    fall<<<(series + 63) / 64, 64>>>(series, days, price, below, worst);
}
