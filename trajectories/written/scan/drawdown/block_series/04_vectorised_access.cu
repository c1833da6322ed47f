// Drawdown: a block for each series; four neighbouring days for each thread, in one 16-byte load where the row allows it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kItems = 4;

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
    bool wide = (reinterpret_cast<uintptr_t>(p) | reinterpret_cast<uintptr_t>(out)) % 16 == 0;
    for (int d0 = 0; d0 < days; d0 += kThreads * kItems, now = 1 - now) {
        int d = d0 + threadIdx.x * kItems;
        bool whole = wide && d + kItems <= days;
        float mine[kItems], top[kItems];
        if (whole) {
            float4 four = *reinterpret_cast<const float4*>(p + d);
            mine[0] = four.x, mine[1] = four.y, mine[2] = four.z, mine[3] = four.w;
        } else {
#pragma unroll
            for (int j = 0; j < kItems; ++j) mine[j] = d + j < days ? p[d + j] : 0.0f;  // prices are positive, so 0 never wins
        }
        top[0] = mine[0];
#pragma unroll
        for (int j = 1; j < kItems; ++j) top[j] = fmaxf(top[j - 1], mine[j]);
        float through = warp_max_scan(top[kItems - 1]), high = __shfl_up_sync(0xffffffffu, through, 1);
        if (lane == 0) high = 0.0f;
        if (lane == 31) tops[now][warp] = through;
        __syncthreads();
        high = fmaxf(high, carried);
        for (int w = 0; w < kWarps; ++w) {
            float other = tops[now][w];
            if (w < warp) high = fmaxf(high, other);
            carried = fmaxf(carried, other);
        }
        float depth[kItems];
#pragma unroll
        for (int j = 0; j < kItems; ++j) {
            float peak = fmaxf(high, top[j]);
            depth[j] = (peak - mine[j]) / peak;
            if (d + j < days) deepest = fmaxf(deepest, depth[j]);
        }
        if (whole) {
            *reinterpret_cast<float4*>(out + d) = make_float4(depth[0], depth[1], depth[2], depth[3]);
        } else {
#pragma unroll
            for (int j = 0; j < kItems; ++j)
                if (d + j < days) out[d + j] = depth[j];
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
