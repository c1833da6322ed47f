// Rolling regression on the market: the running sums are kept field by field, without bank conflicts.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

// From the sums of a window to slope and correlation.
__device__ float2 fit(int window, int x, int m, int xx, int xm, int mm) {
    const int64_t shared = (int64_t)window * xm - (int64_t)x * m;
    const int64_t risk = (int64_t)window * xx - (int64_t)x * x, base = (int64_t)window * mm - (int64_t)m * m;
    if (base <= 0) return make_float2(0.0f, 0.0f);
    const float slope = (float)((double)shared / (double)base);
    return make_float2(slope, risk > 0 ? (float)((double)shared / sqrt((double)risk * (double)base)) : 0.0f);
}

constexpr int kThreads = 256, kWarps = kThreads / 32, kWindows = 512;  // windows of a block
constexpr int kDays = 4, kPlaces = kThreads * kDays;               // days of a thread, at least kWindows and the longest window, 512

struct Sums {
    int x, m, xx, xm, mm;
};

__device__ Sums plus(Sums a, Sums b) { return {a.x + b.x, a.m + b.m, a.xx + b.xx, a.xm + b.xm, a.mm + b.mm}; }
__device__ Sums minus(Sums a, Sums b) { return {a.x - b.x, a.m - b.m, a.xx - b.xx, a.xm - b.xm, a.mm - b.mm}; }

__device__ Sums shifted(Sums s, int apart) {
    return {__shfl_up_sync(kAll, s.x, apart), __shfl_up_sync(kAll, s.m, apart), __shfl_up_sync(kAll, s.xx, apart),
            __shfl_up_sync(kAll, s.xm, apart), __shfl_up_sync(kAll, s.mm, apart)};
}

// Of the block's first k days, field by field; a word is left out after 32, so that lanes which are four days apart meet all banks.
struct Scratch {
    Sums part[kWarps];
    int x[kPlaces + kPlaces / 32 + 1], m[kPlaces + kPlaces / 32 + 1], xx[kPlaces + kPlaces / 32 + 1], xm[kPlaces + kPlaces / 32 + 1],
        mm[kPlaces + kPlaces / 32 + 1];

    __device__ void put(int k, Sums s) {
        k += k / 32;
        x[k] = s.x;
        m[k] = s.m;
        xx[k] = s.xx;
        xm[k] = s.xm;
        mm[k] = s.mm;
    }
    __device__ Sums get(int k) const {
        k += k / 32;
        return {x[k], m[k], xx[k], xm[k], mm[k]};
    }
};

// Running sums over the days of a block; each thread has four neighbouring ones.
__device__ void run(const int2* day, Scratch& scratch) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Sums step[kDays], mine = {};
#pragma unroll
    for (int k = 0; k < kDays; ++k) {
        step[k] = mine;
        mine = plus(mine, Sums{day[k].x, day[k].y, day[k].x * day[k].x, day[k].x * day[k].y, day[k].y * day[k].y});
    }
    Sums all = mine;
    for (int apart = 1; apart < 32; apart *= 2) {
        const Sums left = shifted(all, apart);
        if (lane >= apart) all = plus(all, left);
    }
    if (lane == 31) scratch.part[warp] = all;
    __syncthreads();
    Sums start = minus(all, mine);
    for (int w = 0; w < warp; ++w) start = plus(start, scratch.part[w]);
#pragma unroll
    for (int k = 0; k < kDays; ++k) scratch.put(threadIdx.x * kDays + k, plus(start, step[k]));
    if (threadIdx.x == kThreads - 1) scratch.put(kPlaces, plus(start, mine));
    __syncthreads();
}

// A window is the difference of two running sums.
__global__ void roll(int days, int window, const int16_t* asset, const int16_t* market, float* beta, float* correlation) {
    __shared__ Scratch scratch;
    const int windows = days - window + 1, first = blockIdx.x * kWindows;
    const int16_t* own = asset + (long long)blockIdx.y * days;
    int2 day[kDays];
#pragma unroll
    for (int k = 0; k < kDays; ++k) {
        const int d = first + threadIdx.x * kDays + k;
        day[k] = d < days ? make_int2(own[d], market[d]) : make_int2(0, 0);
    }
    run(day, scratch);
    for (int w = threadIdx.x; w < kWindows && first + w < windows; w += kThreads) {
        const Sums s = minus(scratch.get(w + window), scratch.get(w));
        const float2 found = fit(window, s.x, s.m, s.xx, s.xm, s.mm);
        beta[(long long)blockIdx.y * windows + first + w] = found.x;
        correlation[(long long)blockIdx.y * windows + first + w] = found.y;
    }
}

// One warp an asset.
__global__ void range(int assets, int windows, const float* beta, float* spread) {
    const int a = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (a >= assets) return;
    const float* mine = beta + (long long)a * windows;
    float lowest = mine[0], highest = mine[0];
    for (int t = lane; t < windows; t += 32) {
        const float b = mine[t];
        lowest = fminf(lowest, b);
        highest = fmaxf(highest, b);
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        lowest = fminf(lowest, __shfl_down_sync(kAll, lowest, apart));
        highest = fmaxf(highest, __shfl_down_sync(kAll, highest, apart));
    }
    if (lane == 0) spread[a] = highest - lowest;
}

extern "C" void rolling_beta(int assets, int days, int window, const int16_t* asset, const int16_t* market, float* beta, float* correlation,
                             float* spread) {
    const int windows = days - window + 1;
    roll<<<dim3((windows - 1) / kWindows + 1, assets), kThreads>>>(days, window, asset, market, beta, correlation);
    range<<<(assets - 1) / 4 + 1, 128>>>(assets, windows, beta, spread);
}
