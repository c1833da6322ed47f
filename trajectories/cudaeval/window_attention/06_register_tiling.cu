// Windowed attention: four tokens a warp, so that what is brought to shared memory and read from there serves four times as many.
#include <cuda_runtime.h>

constexpr int kWarps = 8, kEach = 4;

__device__ float warp_max(float value) {
    for (int gap = 16; gap > 0; gap /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, gap));
    return value;
}

__device__ float warp_sum(float value) {
    for (int gap = 16; gap > 0; gap /= 2) value += __shfl_xor_sync(0xffffffffu, value, gap);
    return value;
}

__global__ void __launch_bounds__(32 * kWarps)
    attend(int tokens, int window, const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
           float* __restrict__ out) {
    __shared__ __align__(16) float own[kWarps][kEach][32], keys[32][36], values[32][32];
    int lane = threadIdx.x, warp = threadIdx.y, top = blockIdx.x * kWarps * kEach, own_first = top + warp * kEach;
    long long head = (long long)blockIdx.y * tokens;
    float largest[kEach], total[kEach] = {}, mix[kEach] = {};
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        largest[i] = -INFINITY;
        own[warp][i][lane] = own_first + i < tokens ? q[(head + own_first + i) * 32 + lane] * 0.17677669529663687f : 0.0f;
    }
    int last = min(top + kWarps * kEach, tokens);
    for (int first = max(0, top - window + 1); first < last; first += 32) {
        __syncthreads();
        for (int r = warp; r < 32; r += kWarps) {
            int j = min(first + r, tokens - 1);
            keys[r][lane] = k[(head + j) * 32 + lane];
            values[r][lane] = v[(head + j) * 32 + lane];
        }
        __syncthreads();
        float dot[kEach] = {}, share[kEach];
#pragma unroll
        for (int d = 0; d < 32; d += 4) {
            float4 key = *reinterpret_cast<const float4*>(&keys[lane][d]);
#pragma unroll
            for (int i = 0; i < kEach; ++i) {
                float4 query = *reinterpret_cast<const float4*>(&own[warp][i][d]);
                dot[i] += query.x * key.x + query.y * key.y + query.z * key.z + query.w * key.w;
            }
        }
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            int j = first + lane, t = own_first + i;
            if (j > t || j <= t - window) dot[i] = -INFINITY;
            float peak = fmaxf(largest[i], warp_max(dot[i])), base = peak == -INFINITY ? 0.0f : peak;
            float shrink = expf(largest[i] - base);
            share[i] = expf(dot[i] - base);
            largest[i] = peak;
            total[i] = total[i] * shrink + share[i];
            mix[i] *= shrink;
        }
#pragma unroll 8
        for (int r = 0; r < 32; ++r) {
            float value = values[r][lane];
#pragma unroll
            for (int i = 0; i < kEach; ++i) mix[i] += __shfl_sync(0xffffffffu, share[i], r) * value;
        }
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        total[i] = warp_sum(total[i]);
        if (own_first + i < tokens) out[(head + own_first + i) * 32 + lane] = mix[i] / total[i];
    }
}

extern "C" void window_attention(int heads, int tokens, int window, const float* q, const float* k, const float* v, float* out) {
    const int each = kWarps * kEach;
    if (heads > 0 && tokens > 0)
        attend<<<dim3((tokens + each - 1) / each, heads), dim3(32, kWarps)>>>(tokens, window, q, k, v, out);
}
