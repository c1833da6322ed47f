#include <cuda_runtime.h>

constexpr int kFrame = 256, kHalf = kFrame / 2, kBins = kHalf + 1;
constexpr int kOwn = 4, kWarps = 4;  // values a lane, warps a block
constexpr int kBlocks = 8, kMostBlocks = 132 * kBlocks;  // of a processor, of a large device
constexpr int kMostGap = 4;

__device__ float2 plus(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ float2 minus(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

// The transform of four values.
__device__ void transform(float2 (&v)[kOwn]) {
    const float2 a = plus(v[0], v[2]), b = minus(v[0], v[2]), c = plus(v[1], v[3]), d = minus(v[1], v[3]);
    v[0] = plus(a, c);
    v[1] = {b.x + d.y, b.y - d.x};
    v[2] = minus(a, c);
    v[3] = {b.x - d.y, b.y + d.x};
}

// Where a value lies: each sixteen values are followed by a gap, so that lanes whose values are far apart meet different banks.
template <int kGap>
__device__ int place_of(int i) {
    return i + i / 16 * kGap;
}

// Puts a lane's values `apart` from each other, from `to` on, and brings it those that the next pass combines.
template <int kGap>
__device__ void exchange(float2* held, float2 (&v)[kOwn], int to, int apart, int lane) {
    __syncwarp();
#pragma unroll
    for (int r = 0; r < kOwn; ++r) held[place_of<kGap>(to + r * apart)] = v[r];
    __syncwarp();
#pragma unroll
    for (int r = 0; r < kOwn; ++r) v[r] = held[place_of<kGap>(lane + 32 * r)];
}

// The power at a frequency, from the values of the half transform there and at its mirror image.
__device__ float power_of(float2 low, float2 high, float2 factor) {
    float even_re = 0.5f * (low.x + high.x), even_im = 0.5f * (low.y - high.y);
    float odd_re = 0.5f * (low.y + high.y), odd_im = 0.5f * (high.x - low.x);
    float x = even_re + odd_re * factor.x - odd_im * factor.y, y = even_im + odd_re * factor.y + odd_im * factor.x;
    return x * x + y * y;
}

__device__ float2 factor_of(int m) {
    float2 factor;
    sincospif(-(float)m / kHalf, &factor.y, &factor.x);
    return factor;
}

// A warp a frame at a time, with four values a lane in registers. The lane's parts of the window and its factors, the same for all
// frames, stay there too.
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    spectra(int frames, int hop, const float* __restrict__ signal, const float* __restrict__ window, float* __restrict__ power) {
    __shared__ float2 held[kWarps][kHalf + kHalf / 16 * kMostGap];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float2 weight[kOwn], second[kOwn], third[kOwn], last[2], mirror[kOwn];  // the first factor of the second and third pass is one
#pragma unroll
    for (int r = 0; r < kOwn; ++r) {
        weight[r] = {window[2 * (lane + 32 * r)], window[2 * (lane + 32 * r) + 1]};
        second[r] = factor_of(16 * (lane % 4) * r);
        third[r] = factor_of(4 * (lane % 16) * r);
        mirror[r] = factor_of(lane + 32 * r);
        if (r < 2) last[r] = factor_of(2 * (lane + 32 * r));
    }
    for (long long f = (long long)blockIdx.x * kWarps + warp; f < frames; f += (long long)gridDim.x * kWarps) {
        float2 v[kOwn];
#pragma unroll
        for (int r = 0; r < kOwn; ++r) {
            const int n = 2 * (lane + 32 * r);
            v[r] = {signal[f * hop + n] * weight[r].x, signal[f * hop + n + 1] * weight[r].y};
        }
        transform(v);
        exchange<1>(held[warp], v, 4 * lane, 1, lane);
#pragma unroll
        for (int r = 1; r < kOwn; ++r) v[r] = times(v[r], second[r]);
        transform(v);
        exchange<kMostGap>(held[warp], v, 4 * lane - 3 * (lane % 4), 4, lane);
#pragma unroll
        for (int r = 1; r < kOwn; ++r) v[r] = times(v[r], third[r]);
        transform(v);
        exchange<0>(held[warp], v, 4 * lane - 3 * (lane % 16), 16, lane);
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const float2 one = v[r], other = times(v[r + 2], last[r]);
            v[r] = plus(one, other);
            v[r + 2] = minus(one, other);
        }
#pragma unroll
        for (int r = 0; r < kOwn; ++r) {  // v[r] is at lane + 32 * r
            float2 high = {__shfl_sync(0xffffffffu, v[3 - r].x, 32 - lane), __shfl_sync(0xffffffffu, v[3 - r].y, 32 - lane)};
            if (lane == 0) high = v[(4 - r) % 4];
            power[f * kBins + lane + 32 * r] = power_of(v[r], high, mirror[r]);
        }
        if (lane == 0) power[f * kBins + kHalf] = power_of(v[0], v[0], {-1.0f, 0.0f});
    }
}

extern "C" void spectrogram(int frames, int hop, const float* signal, const float* window, float* power) {
    const int wanted = (frames - 1) / kWarps + 1;
    if (frames > 0) spectra<<<wanted < kMostBlocks ? wanted : kMostBlocks, 32 * kWarps>>>(frames, hop, signal, window, power);
}
