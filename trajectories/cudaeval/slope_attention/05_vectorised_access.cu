// Attention with slopes: four columns of a key or a query are one read of shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kTile = 32, kMost = 4, kWidest = 128, kWarps = 8, kOwn = kTile / kWarps;  // queries of a warp: every eighth of the block

__device__ int begin_of(int sequences, const int32_t* start, int t) {
    int begin = -1;
    for (int s = 0; s < sequences; ++s)
        if (start[s] <= t) begin = start[s];
    return begin;
}

__global__ void attend(int sequences, int tokens, int heads, int width, const int32_t* start, const float* slope, const float* q,
                       const float* k, const float* v, float* mixed) {
    __shared__ __align__(16) float query[kTile][kWidest + 4], key[kTile][kWidest + 4];  // columns beyond the width are zeros
    const int first = blockIdx.x * kTile, h = blockIdx.y, wide = (width + 3) / 4 * 4, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t row = (size_t)heads * width;
    const float scale = 1.0f / sqrtf((float)width), lean = slope[h];
    for (int i = threadIdx.x; i < kTile * wide; i += 32 * kWarps) {
        const int t = first + i / wide, c = i % wide;
        query[i / wide][c] = t < tokens && c < width ? q[t * row + h * width + c] * scale : 0.0f;
    }
    int begin[kOwn];
    float out[kOwn][kMost] = {}, top[kOwn], total[kOwn];
#pragma unroll
    for (int n = 0; n < kOwn; ++n) {
        const int t = first + warp + kWarps * n;
        begin[n] = t < tokens ? begin_of(sequences, start, t) : -1;
        top[n] = -INFINITY;
        total[n] = 0.0f;
    }
    const int earliest = max(begin_of(sequences, start, first), 0), end = min(first + kTile, tokens);
    for (int from = earliest; from < end; from += kTile) {
        __syncthreads();
        for (int i = threadIdx.x; i < kTile * wide; i += 32 * kWarps) {
            const int j = from + i / wide, c = i % wide;
            key[i / wide][c] = j < tokens && c < width ? k[j * row + h * width + c] : 0.0f;
        }
        __syncthreads();
        float score[kOwn] = {}, weight[kOwn];
        for (int c = 0; c < wide; c += 4) {
            const float4 part = *reinterpret_cast<const float4*>(&key[lane][c]);
#pragma unroll
            for (int n = 0; n < kOwn; ++n) {
                const float4 asked = *reinterpret_cast<const float4*>(&query[warp + kWarps * n][c]);
                score[n] += asked.x * part.x + asked.y * part.y + asked.z * part.z + asked.w * part.w;
            }
        }
#pragma unroll
        for (int n = 0; n < kOwn; ++n) {
            const int t = first + warp + kWarps * n, j = from + lane;
            weight[n] = 0.0f;
            if (begin[n] < 0 || from > t || from + kTile <= begin[n]) continue;
            const float own = j >= begin[n] && j <= t ? score[n] - lean * (float)(t - j) : -INFINITY;
            float highest = own;
            for (int apart = 16; apart > 0; apart /= 2) highest = fmaxf(highest, __shfl_xor_sync(kAll, highest, apart));
            const float higher = fmaxf(top[n], highest), keep = expf(top[n] - higher);
            weight[n] = expf(own - higher);
            float sum = weight[n];
            for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(kAll, sum, apart);
            top[n] = higher;
            total[n] = total[n] * keep + sum;
#pragma unroll
            for (int c = 0; c < kMost; ++c) out[n][c] *= keep;
        }
        for (int other = 0; other < min(kTile, end - from); ++other) {
            float share[kOwn];
#pragma unroll
            for (int n = 0; n < kOwn; ++n) share[n] = __shfl_sync(kAll, weight[n], other);
#pragma unroll
            for (int c = 0; c < kMost; ++c) {
                if (lane + 32 * c >= width) break;
                const float value = v[(from + other) * row + h * width + lane + 32 * c];
#pragma unroll
                for (int n = 0; n < kOwn; ++n) out[n][c] += share[n] * value;
            }
        }
    }
#pragma unroll
    for (int n = 0; n < kOwn; ++n) {
        const int t = first + warp + kWarps * n;
        if (t >= tokens) continue;
#pragma unroll
        for (int c = 0; c < kMost; ++c)
            if (lane + 32 * c < width) mixed[t * row + h * width + lane + 32 * c] = begin[n] < 0 ? 0.0f : out[n][c] / total[n];
    }
}

extern "C" void slope_attention(int sequences, int tokens, int heads, int width, const int32_t* start, const float* slope, const float* q,
                                const float* k, const float* v, float* mixed) {
    attend<<<dim3((tokens + kTile - 1) / kTile, heads), 32 * kWarps>>>(sequences, tokens, heads, width, start, slope, q, k, v, mixed);
}
