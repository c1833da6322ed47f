// Drawdown: a warp for each chunk of 1024 days, four rows of 32 in flight; results stored past the cache.
#include <cuda_runtime.h>

constexpr int kChunk = 1024;
constexpr int kWarps = 8;
constexpr int kRows = 4;

__device__ float warp_max_scan(float value) {
    int lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        float below = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance) value = fmaxf(value, below);
    }
    return value;
}

__global__ void tops(int days, int chunks, const float* price, float* top) {
    int k = blockIdx.x * kWarps + threadIdx.x / 32, s = blockIdx.y, lane = threadIdx.x % 32;
    if (k >= chunks) return;  // a whole warp
    float high = 0.0f;
    for (int d0 = k * kChunk; d0 < min((k + 1) * kChunk, days); d0 += 32 * kRows) {
#pragma unroll
        for (int r = 0; r < kRows; ++r)
            if (d0 + 32 * r + lane < days) high = fmaxf(high, price[(size_t)s * days + d0 + 32 * r + lane]);
    }
    high = warp_max_scan(high);
    if (lane == 31) top[(size_t)s * chunks + k] = high;
}

// Replaces the maximum of each chunk by that of the chunks before it; a warp for each series.
__global__ void levels(int chunks, float* top, int* worst) {
    float* mine = top + (size_t)blockIdx.x * chunks;
    float carried = 0.0f;
    for (int k0 = 0; k0 < chunks; k0 += 32) {
        int k = k0 + threadIdx.x;
        float through = warp_max_scan(k < chunks ? mine[k] : 0.0f), before = __shfl_up_sync(0xffffffffu, through, 1);
        if (k < chunks) mine[k] = threadIdx.x == 0 ? carried : fmaxf(carried, before);
        carried = fmaxf(carried, __shfl_sync(0xffffffffu, through, 31));
    }
    if (threadIdx.x == 0) worst[blockIdx.x] = 0;
}

// The bits of floats that are not negative order as integers do, so the worst is an integer maximum.
__global__ void fall(int days, int chunks, const float* price, const float* level, float* below, int* worst) {
    int k = blockIdx.x * kWarps + threadIdx.x / 32, s = blockIdx.y, lane = threadIdx.x % 32;
    if (k >= chunks) return;  // a whole warp
    float carried = level[(size_t)s * chunks + k], deepest = 0.0f;
    for (int d0 = k * kChunk; d0 < min((k + 1) * kChunk, days); d0 += 32 * kRows) {
        float mine[kRows], high[kRows];
        size_t i = (size_t)s * days + d0 + lane;
#pragma unroll
        for (int r = 0; r < kRows; ++r) mine[r] = d0 + 32 * r + lane < days ? price[i + 32 * r] : 0.0f;
#pragma unroll
        for (int r = 0; r < kRows; ++r) high[r] = warp_max_scan(mine[r]);  // four independent chains of shuffles
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            high[r] = fmaxf(high[r], carried);
            carried = __shfl_sync(0xffffffffu, high[r], 31);
            if (d0 + 32 * r + lane < days) {
                float depth = (high[r] - mine[r]) / high[r];
                __stcs(below + i + 32 * r, depth);
                deepest = fmaxf(deepest, depth);
            }
        }
    }
    deepest = warp_max_scan(deepest);
    if (lane == 31) atomicMax(worst + s, __float_as_int(deepest));
}

extern "C" void drawdown(int series, int days, const float* price, float* below, float* worst) {
    int chunks = (days + kChunk - 1) / kChunk;
    float* top = nullptr;
    cudaMalloc(&top, (size_t)series * chunks * sizeof(float));
    int* bits = reinterpret_cast<int*>(worst);
    dim3 grid((chunks + kWarps - 1) / kWarps, series);
    tops<<<grid, kWarps * 32>>>(days, chunks, price, top);
    levels<<<series, 32>>>(chunks, top, bits);
    fall<<<grid, kWarps * 32>>>(days, chunks, price, top, below, bits);
    cudaFree(top);
}
