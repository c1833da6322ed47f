// Attention with slopes: a warp goes through a tile with its four queries together, so that a key or a value that was read serves all four.
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
    __shared__ float query[kTile][kWidest + 1], key[kTile][kWidest + 1];
    const int first = blockIdx.x * kTile, h = blockIdx.y, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t row = (size_t)heads * width;
    const float scale = 1.0f / sqrtf((float)width), lean = slope[h];
    for (int i = threadIdx.x; i < kTile * width; i += 32 * kWarps) {
        const int t = first + i / width;
        query[i / width][i % width] = t < tokens ? q[t * row + h * width + i % width] * scale : 0.0f;
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
        for (int i = threadIdx.x; i < kTile * width; i += 32 * kWarps) {
            const int j = from + i / width;
            key[i / width][i % width] = j < tokens ? k[j * row + h * width + i % width] : 0.0f;
        }
        __syncthreads();
        float score[kOwn] = {}, weight[kOwn];
        for (int c = 0; c < width; ++c) {
            const float part = key[lane][c];
#pragma unroll
            for (int n = 0; n < kOwn; ++n) score[n] += query[warp + kWarps * n][c] * part;
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
