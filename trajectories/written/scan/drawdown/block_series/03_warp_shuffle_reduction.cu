// Drawdown: a block for each series; warps scan by shuffles, and the warps' maxima meet in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

__device__ float warp_max_scan(float value) {
    int lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        float below = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance) value = fmaxf(value, below);
    }
    return value;
}

__global__ void fall(int days, const float* price, float* below, float* worst) {
    __shared__ float tops[2][kWarps];  // two rounds' worth, so that one barrier a round is enough
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float* p = price + (size_t)blockIdx.x * days;
    float* out = below + (size_t)blockIdx.x * days;
    float carried = p[0], deepest = 0.0f;
    int now = 0;
    for (int d0 = 0; d0 < days; d0 += kThreads, now = 1 - now) {
        int d = d0 + threadIdx.x;
        float mine = d < days ? p[d] : 0.0f, high = warp_max_scan(mine);  // prices are positive, so 0 never wins
        if (lane == 31) tops[now][warp] = high;
        __syncthreads();
        high = fmaxf(high, carried);
        for (int w = 0; w < kWarps; ++w) {
            float top = tops[now][w];
            if (w < warp) high = fmaxf(high, top);
            carried = fmaxf(carried, top);
        }
        if (d < days) {
            float depth = (high - mine) / high;
            out[d] = depth;
            deepest = fmaxf(deepest, depth);
        }
    }
    deepest = warp_max_scan(deepest);
    if (lane == 31) tops[now][warp] = deepest;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 0; w < kWarps; ++w) deepest = fmaxf(deepest, tops[now][w]);
    worst[blockIdx.x] = deepest;
}

extern "C" void drawdown(int series, int days, const float* price, float* below, float* worst) {
    fall<<<series, kThreads>>>(days, price, below, worst);
}
