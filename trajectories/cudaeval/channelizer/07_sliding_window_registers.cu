// A filter bank of 32 channels: a lane keeps its branch's last eight samples in registers, so that of the eight that a frame needs only
// one is loaded.
#include <cuda_runtime.h>

constexpr int kWarps = 4, kWalk = 16;  // frames a warp

// Complex numbers of 8 bytes; an array that is not aligned so is read and written by floats.
template <bool kWide>
__device__ float2 load(const float* at) {
    if (kWide) return *reinterpret_cast<const float2*>(at);
    return make_float2(at[0], at[1]);
}

template <bool kWide>
__device__ void store(float* at, float2 value) {
    if (kWide) {
        *reinterpret_cast<float2*>(at) = value;
    } else {
        at[0] = value.x;
        at[1] = value.y;
    }
}

// One stage of the transform across the lanes of a warp, decimation in frequency: the upper lane of a pair keeps the turned difference.
__device__ void stage(int half, int lane, float c, float s, float& x, float& y) {
    float p = __shfl_xor_sync(0xffffffffu, x, half), q = __shfl_xor_sync(0xffffffffu, y, half);
    float dx = lane & half ? p - x : x + p, dy = lane & half ? q - y : y + q;
    x = dx * c - dy * s;
    y = dx * s + dy * c;
}

template <bool kWide>
__global__ void split(int frames, const float* __restrict__ signal, const float* __restrict__ prototype, float* __restrict__ out) {
    int lane = threadIdx.x, first = (blockIdx.x * kWarps + threadIdx.y) * kWalk, c = __brev(lane) >> 27;
    if (first >= frames) return;
    float weight[8], cosine[5], sine[5];
    float2 recent[8];
#pragma unroll
    for (int t = 0; t < 8; ++t) weight[t] = prototype[32 * t + lane];
#pragma unroll
    for (int t = 0; t < 7; ++t) recent[t] = load<kWide>(signal + 64LL * (first + t) + 2 * lane);
#pragma unroll
    for (int step = 0; step < 5; ++step) {
        int half = 16 >> step;
        sincospif(lane & half ? (lane & (half - 1)) * (-1.0f / half) : 0.0f, &sine[step], &cosine[step]);
    }
#pragma unroll
    for (int k = 0; k < kWalk; ++k) {  // unrolled, so that the ring of samples has constant places
        int f = first + k;
        if (f >= frames) break;
        recent[(k + 7) % 8] = load<kWide>(signal + 64LL * (f + 7) + 2 * lane);
        float x = 0.0f, y = 0.0f;
#pragma unroll
        for (int t = 0; t < 8; ++t) {
            x += weight[t] * recent[(k + t) % 8].x;
            y += weight[t] * recent[(k + t) % 8].y;
        }
#pragma unroll
        for (int step = 0; step < 5; ++step) stage(16 >> step, lane, cosine[step], sine[step], x, y);
        store<kWide>(out + 64LL * f + 2 * c, make_float2(x, y));
    }
}

extern "C" void channelizer(int frames, const float* signal, const float* prototype, float* out) {
    if (frames <= 0) return;
    const bool wide = (reinterpret_cast<size_t>(signal) | reinterpret_cast<size_t>(out)) % 8 == 0;
    const unsigned blocks = (frames + kWarps * kWalk - 1) / (kWarps * kWalk);
    if (wide) split<true><<<blocks, dim3(32, kWarps)>>>(frames, signal, prototype, out);
    else split<false><<<blocks, dim3(32, kWarps)>>>(frames, signal, prototype, out);
}
