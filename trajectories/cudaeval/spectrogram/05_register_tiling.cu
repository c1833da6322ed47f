#include <cuda_runtime.h>

constexpr int kFrame = 256, kHalf = kFrame / 2, kBins = kHalf + 1;
constexpr int kOwn = 4, kWarps = 4;  // values a lane, warps a block
constexpr int kFactors = 192;  // of a circle of 256

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

// Puts a lane's values `apart` from each other, from `to` on, and brings it those that the next pass combines.
__device__ void exchange(float2* held, float2 (&v)[kOwn], int to, int apart, int lane) {
    __syncwarp();
#pragma unroll
    for (int r = 0; r < kOwn; ++r) held[to + r * apart] = v[r];
    __syncwarp();
#pragma unroll
    for (int r = 0; r < kOwn; ++r) v[r] = held[lane + 32 * r];
}

// The power at a frequency, from the values of the half transform there and at its mirror image.
__device__ float power_of(float2 low, float2 high, float2 factor) {
    float even_re = 0.5f * (low.x + high.x), even_im = 0.5f * (low.y - high.y);
    float odd_re = 0.5f * (low.y + high.y), odd_im = 0.5f * (high.x - low.x);
    float x = even_re + odd_re * factor.x - odd_im * factor.y, y = even_im + odd_re * factor.y + odd_im * factor.x;
    return x * x + y * y;
}

// A warp a frame, with four values a lane in registers: three passes combine fours and one combines pairs, and values change lanes in
// shared memory between them. Even samples are real and odd ones imaginary parts.
__global__ void __launch_bounds__(32 * kWarps)
    spectra(int frames, int hop, const float* __restrict__ signal, const float* __restrict__ window, float* __restrict__ power) {
    __shared__ float2 factor[kFactors], held[kWarps][kHalf];
    for (int m = threadIdx.x; m < kFactors; m += 32 * kWarps) sincospif(-(float)m / kHalf, &factor[m].y, &factor[m].x);
    __syncthreads();
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long f = (long long)blockIdx.x * kWarps + warp;
    if (f >= frames) return;
    float2 v[kOwn];
#pragma unroll
    for (int r = 0; r < kOwn; ++r) {
        const int n = 2 * (lane + 32 * r);
        v[r] = {signal[f * hop + n] * window[n], signal[f * hop + n + 1] * window[n + 1]};
    }
    transform(v);
    exchange(held[warp], v, 4 * lane, 1, lane);
#pragma unroll
    for (int size = 4; size <= 16; size *= 4) {
        const int k = lane % size;
#pragma unroll
        for (int r = 1; r < kOwn; ++r) v[r] = times(v[r], factor[64 / size * k * r]);
        transform(v);
        exchange(held[warp], v, 4 * lane - 3 * k, size, lane);
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        const float2 first = v[r], second = times(v[r + 2], factor[2 * (lane + 32 * r)]);
        v[r] = plus(first, second);
        v[r + 2] = minus(first, second);
    }
#pragma unroll
    for (int r = 0; r < kOwn; ++r) {  // v[r] is at lane + 32 * r
        float2 high = {__shfl_sync(0xffffffffu, v[3 - r].x, 32 - lane), __shfl_sync(0xffffffffu, v[3 - r].y, 32 - lane)};
        if (lane == 0) high = v[(4 - r) % 4];
        power[f * kBins + lane + 32 * r] = power_of(v[r], high, factor[lane + 32 * r]);
    }
    if (lane == 0) power[f * kBins + kHalf] = power_of(v[0], v[0], {-1.0f, 0.0f});
}

extern "C" void spectrogram(int frames, int hop, const float* signal, const float* window, float* power) {
    if (frames > 0) spectra<<<(frames + kWarps - 1) / kWarps, 32 * kWarps>>>(frames, hop, signal, window, power);
}
