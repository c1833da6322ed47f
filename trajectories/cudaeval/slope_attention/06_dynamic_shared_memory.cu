// Attention with slopes: values come with the keys into shared memory of the size that the width asks for; weights are read there four at a time, where shuffles handed them round.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kTile = 32, kMost = 4, kWarps = 8, kOwn = kTile / kWarps;  // queries of a warp: every eighth of the block

__device__ int begin_of(int sequences, const int32_t* start, int t) {
    int begin = -1;
    for (int s = 0; s < sequences; ++s)
        if (start[s] <= t) begin = start[s];
    return begin;
}

__global__ void attend(int sequences, int tokens, int heads, int width, const int32_t* start, const float* slope, const float* q,
                       const float* k, const float* v, float* mixed) {
    extern __shared__ float4 room[];
    __shared__ float4 shares[kWarps][kTile];  // of a warp's four queries in each key's value
    const int pitch = (width + 3) / 4 * 4 + 4;
    float *query = reinterpret_cast<float*>(room), *key = query + kTile * pitch, *value = key + kTile * pitch;  // beyond the width are zeros
    const int first = blockIdx.x * kTile, h = blockIdx.y, wide = (width + 3) / 4 * 4, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t row = (size_t)heads * width;
    const float scale = 1.0f / sqrtf((float)width), lean = slope[h];
    for (int i = threadIdx.x; i < kTile * wide; i += 32 * kWarps) {
        const int t = first + i / wide, c = i % wide;
        query[i / wide * pitch + c] = t < tokens && c < width ? q[t * row + h * width + c] * scale : 0.0f;
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
            const bool within = j < tokens && c < width;
            key[i / wide * pitch + c] = within ? k[j * row + h * width + c] : 0.0f;
            value[i / wide * pitch + c] = within ? v[j * row + h * width + c] : 0.0f;
        }
        __syncthreads();
        float score[kOwn] = {}, weight[kOwn];
        for (int c = 0; c < wide; c += 4) {
            const float4 part = *reinterpret_cast<const float4*>(&key[lane * pitch + c]);
#pragma unroll
            for (int n = 0; n < kOwn; ++n) {
                const float4 asked = *reinterpret_cast<const float4*>(&query[(warp + kWarps * n) * pitch + c]);
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
        shares[warp][lane] = make_float4(weight[0], weight[1], weight[2], weight[3]);
        __syncwarp();
        for (int other = 0; other < min(kTile, end - from); ++other) {
            const float4 four = shares[warp][other];
            const float share[kOwn] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int c = 0; c < kMost; ++c) {
                if (lane + 32 * c >= width) break;
                const float own = value[other * pitch + lane + 32 * c];
#pragma unroll
                for (int n = 0; n < kOwn; ++n) out[n][c] += share[n] * own;
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
    const int bytes = sizeof(float) * 3 * kTile * ((width + 3) / 4 * 4 + 4);
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    attend<<<dim3((tokens + kTile - 1) / kTile, heads), 32 * kWarps, bytes>>>(sequences, tokens, heads, width, start, slope, q, k, v, mixed);
}
