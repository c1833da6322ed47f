// Windowed attention: eight neighbouring tokens, a warp each, share tiles of 32 keys and values in shared memory; their windows overlap
// nearly whole.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__device__ float warp_max(float value) {
    for (int gap = 16; gap > 0; gap /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, gap));
    return value;
}

__device__ float warp_sum(float value) {
    for (int gap = 16; gap > 0; gap /= 2) value += __shfl_xor_sync(0xffffffffu, value, gap);
    return value;
}

__global__ void attend(int tokens, int window, const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
                       float* __restrict__ out) {
    __shared__ float own[kWarps][32], keys[32][33], values[32][32];
    int lane = threadIdx.x, warp = threadIdx.y, top = blockIdx.x * kWarps, t = top + warp;
    long long head = (long long)blockIdx.y * tokens;
    own[warp][lane] = t < tokens ? q[(head + t) * 32 + lane] * 0.17677669529663687f : 0.0f;
    float largest = -INFINITY, total = 0.0f, mix = 0.0f;
    int last = min(top + kWarps, tokens);
    for (int first = max(0, top - window + 1); first < last; first += 32) {
        __syncthreads();
        for (int r = warp; r < 32; r += kWarps) {
            int j = min(first + r, tokens - 1);
            keys[r][lane] = k[(head + j) * 32 + lane];
            values[r][lane] = v[(head + j) * 32 + lane];
        }
        __syncthreads();
        int j = first + lane;
        float dot = 0.0f;
#pragma unroll
        for (int d = 0; d < 32; ++d) dot += own[warp][d] * keys[lane][d];
        if (j > t || j <= t - window) dot = -INFINITY;
        float peak = fmaxf(largest, warp_max(dot));
        if (peak == -INFINITY) continue;
        float shrink = expf(largest - peak), share = expf(dot - peak);
        largest = peak;
        total = total * shrink + share;
        mix *= shrink;
#pragma unroll 8
        for (int i = 0; i < 32; ++i) mix += __shfl_sync(0xffffffffu, share, i) * values[i][lane];
    }
    total = warp_sum(total);
    if (t < tokens) out[(head + t) * 32 + lane] = mix / total;
}

extern "C" void window_attention(int heads, int tokens, int window, const float* q, const float* k, const float* v, float* out) {
    if (heads > 0 && tokens > 0)
        attend<<<dim3((tokens + kWarps - 1) / kWarps, heads), dim3(32, kWarps)>>>(tokens, window, q, k, v, out);
}
