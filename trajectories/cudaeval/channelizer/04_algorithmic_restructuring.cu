// A filter bank of 32 channels: a fast transform of five stages across the lanes by shuffles, in place of 32 products a channel.
// Lane l ends with the channel whose five bits are those of l reversed.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

// One stage of the transform across the lanes of a warp, decimation in frequency: the upper lane of a pair keeps the turned difference.
__device__ void stage(int half, int lane, float c, float s, float& x, float& y) {
    float p = __shfl_xor_sync(0xffffffffu, x, half), q = __shfl_xor_sync(0xffffffffu, y, half);
    float dx = lane & half ? p - x : x + p, dy = lane & half ? q - y : y + q;
    x = dx * c - dy * s;
    y = dx * s + dy * c;
}

__global__ void split(int frames, const float* signal, const float* prototype, float* out) {
    __shared__ float cosine[32], sine[32];
    int lane = threadIdx.x, f = blockIdx.x * kWarps + threadIdx.y;
    if (threadIdx.y == 0) sincospif(-lane / 16.0f, &sine[lane], &cosine[lane]);
    __syncthreads();
    if (f >= frames) return;
    const float* in = signal + (long long)f * 64;
    float x = 0.0f, y = 0.0f;
    for (int t = 0; t < 8; ++t) {
        x += prototype[32 * t + lane] * in[2 * (32 * t + lane)];
        y += prototype[32 * t + lane] * in[2 * (32 * t + lane) + 1];
    }
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
        int k = lane & half ? (lane & (half - 1)) * (16 / half) : 0;
        stage(half, lane, cosine[k], sine[k], x, y);
    }
    int c = __brev(lane) >> 27;
    out[64LL * f + 2 * c] = x;
    out[64LL * f + 2 * c + 1] = y;
}

extern "C" void channelizer(int frames, const float* signal, const float* prototype, float* out) {
    if (frames > 0) split<<<(frames + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(frames, signal, prototype, out);
}
