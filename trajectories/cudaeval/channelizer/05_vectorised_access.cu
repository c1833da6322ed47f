// A filter bank of 32 channels: complex numbers are loaded and stored whole, 8 bytes a lane.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

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
    __shared__ float cosine[32], sine[32];
    int lane = threadIdx.x, f = blockIdx.x * kWarps + threadIdx.y;
    if (threadIdx.y == 0) sincospif(-lane / 16.0f, &sine[lane], &cosine[lane]);
    __syncthreads();
    if (f >= frames) return;
    const float* in = signal + (long long)f * 64;
    float x = 0.0f, y = 0.0f;
#pragma unroll
    for (int t = 0; t < 8; ++t) {
        float2 value = load<kWide>(in + 2 * (32 * t + lane));
        float weight = prototype[32 * t + lane];
        x += weight * value.x;
        y += weight * value.y;
    }
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
        int k = lane & half ? (lane & (half - 1)) * (16 / half) : 0;
        stage(half, lane, cosine[k], sine[k], x, y);
    }
    store<kWide>(out + 64LL * f + 2 * (__brev(lane) >> 27), make_float2(x, y));
}

extern "C" void channelizer(int frames, const float* signal, const float* prototype, float* out) {
    if (frames <= 0) return;
    const bool wide = (reinterpret_cast<size_t>(signal) | reinterpret_cast<size_t>(out)) % 8 == 0;
    const unsigned blocks = (frames + kWarps - 1) / kWarps;
    if (wide) split<true><<<blocks, dim3(32, kWarps)>>>(frames, signal, prototype, out);
    else split<false><<<blocks, dim3(32, kWarps)>>>(frames, signal, prototype, out);
}
