// Rolling regression on the market: four days are loaded at once.
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

// A block goes along the whole row of an asset and keeps the range of its slopes.
// `kWide`: rows are multiples of four days and begin at multiples of 8 bytes.
template <bool kWide>
__global__ void roll(int days, int window, const int16_t* asset, const int16_t* market, float* beta, float* correlation, float* spread) {
    __shared__ Scratch scratch;
    __shared__ float2 part[kWarps];
    const int windows = days - window + 1;
    const int16_t* own = asset + (long long)blockIdx.x * days;
    float lowest = 3.4e38f, highest = -3.4e38f;
    for (int first = 0; first < windows; first += kWindows) {
        int2 day[kDays];
        const int d = first + threadIdx.x * kDays;
        if (kWide) {
            const short4 none = make_short4(0, 0, 0, 0);
            const short4 x = d < days ? *(const short4*)(own + d) : none, m = d < days ? *(const short4*)(market + d) : none;
            day[0] = make_int2(x.x, m.x);
            day[1] = make_int2(x.y, m.y);
            day[2] = make_int2(x.z, m.z);
            day[3] = make_int2(x.w, m.w);
        } else {
            for (int k = 0; k < kDays; ++k) day[k] = d + k < days ? make_int2(own[d + k], market[d + k]) : make_int2(0, 0);
        }
        __syncthreads();
        run(day, scratch);
        for (int w = threadIdx.x; w < kWindows && first + w < windows; w += kThreads) {
            const Sums s = minus(scratch.get(w + window), scratch.get(w));
            const float2 found = fit(window, s.x, s.m, s.xx, s.xm, s.mm);
            beta[(long long)blockIdx.x * windows + first + w] = found.x;
            correlation[(long long)blockIdx.x * windows + first + w] = found.y;
            lowest = fminf(lowest, found.x);
            highest = fmaxf(highest, found.x);
        }
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        lowest = fminf(lowest, __shfl_down_sync(kAll, lowest, apart));
        highest = fmaxf(highest, __shfl_down_sync(kAll, highest, apart));
    }
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = make_float2(lowest, highest);
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 1; w < kWarps; ++w) {
        lowest = fminf(lowest, part[w].x);
        highest = fmaxf(highest, part[w].y);
    }
    spread[blockIdx.x] = highest - lowest;
}

extern "C" void rolling_beta(int assets, int days, int window, const int16_t* asset, const int16_t* market, float* beta, float* correlation,
                             float* spread) {
    if (days % 4 == 0 && ((uintptr_t)asset | (uintptr_t)market) % 8 == 0)
        roll<true><<<assets, kThreads>>>(days, window, asset, market, beta, correlation, spread);
    else
        roll<false><<<assets, kThreads>>>(days, window, asset, market, beta, correlation, spread);
}
