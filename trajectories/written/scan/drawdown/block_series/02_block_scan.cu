// Drawdown: a block for each series scans 256 days at a time for their running maximum.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void fall(int days, const float* price, float* below, float* worst) {
    __shared__ float part[2][kThreads];
    const float* p = price + (size_t)blockIdx.x * days;
    float* out = below + (size_t)blockIdx.x * days;
    float carried = p[0], deepest = 0.0f;
    for (int d0 = 0; d0 < days; d0 += kThreads) {
        int d = d0 + threadIdx.x, now = 0;
        float mine = d < days ? p[d] : 0.0f, high = fmaxf(mine, carried);  // prices are positive, so 0 never wins
        part[0][threadIdx.x] = high;
        __syncthreads();
        for (int distance = 1; distance < kThreads; distance *= 2, now = 1 - now) {
            if (threadIdx.x >= distance) high = fmaxf(high, part[now][threadIdx.x - distance]);
            part[1 - now][threadIdx.x] = high;
            __syncthreads();
        }
        carried = part[now][kThreads - 1];
        if (d < days) {
            float depth = (high - mine) / high;
            out[d] = depth;
            deepest = fmaxf(deepest, depth);
        }
        __syncthreads();  // the next round overwrites what others still read
    }
    part[0][threadIdx.x] = deepest;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[0][threadIdx.x] = fmaxf(part[0][threadIdx.x], part[0][threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) worst[blockIdx.x] = part[0][0];
}

extern "C" void drawdown(int series, int days, const float* price, float* below, float* worst) {
    fall<<<series, kThreads>>>(days, price, below, worst);
}
