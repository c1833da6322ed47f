// Paged decoding: sixteen lanes read a row, four numbers each, so that a warp takes two tokens at a time.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Where the row of a token begins in the pool.
__device__ size_t row_of(const int32_t* page, int kv_heads, int head, int token) {
    return (((size_t)page[token / 16] * kv_heads + head) * 16 + token % 16) * 64;
}

// The state of two sets of tokens together: how a lane joins what another one has seen.
__device__ void join(float& peak, float& total, float4& mix, int apart) {
    const float other = __shfl_xor_sync(0xffffffffu, peak, apart), top = fmaxf(peak, other);
    const float mine = peak == -INFINITY ? 0.0f : expf(peak - top), theirs = other == -INFINITY ? 0.0f : expf(other - top);
    peak = top;
    total = total * mine + __shfl_xor_sync(0xffffffffu, total, apart) * theirs;
    mix.x = mix.x * mine + __shfl_xor_sync(0xffffffffu, mix.x, apart) * theirs;
    mix.y = mix.y * mine + __shfl_xor_sync(0xffffffffu, mix.y, apart) * theirs;
    mix.z = mix.z * mine + __shfl_xor_sync(0xffffffffu, mix.z, apart) * theirs;
    mix.w = mix.w * mine + __shfl_xor_sync(0xffffffffu, mix.w, apart) * theirs;
}

__global__ void attend(int batch, int kv_heads, int pages, const float* __restrict__ query, const float* __restrict__ key,
                       const float* __restrict__ value, const int32_t* __restrict__ table, const int32_t* __restrict__ length,
                       float* __restrict__ out) {
    const int at = blockIdx.x * 4 + threadIdx.x / 32, heads = 4 * kv_heads, lane = threadIdx.x % 16, half = threadIdx.x / 16 % 2;
    if (at >= batch * heads) return;
    const int s = at / heads, head = at % heads / 4, tokens = length[s];
    const int32_t* page = table + (size_t)s * pages;
    float4 q = reinterpret_cast<const float4*>(query + (size_t)at * 64)[lane], mix = {};
    q = {q.x * 0.125f, q.y * 0.125f, q.z * 0.125f, q.w * 0.125f};
    float peak = -INFINITY, total = 0.0f;
    for (int first = 0; first < tokens; first += 2) {
        const int t = first + half;
        float score = -INFINITY;
        float4 v = {};
        if (t < tokens) {
            const size_t row = row_of(page, kv_heads, head, t) + lane * 4;
            const float4 k = *reinterpret_cast<const float4*>(key + row);
            v = *reinterpret_cast<const float4*>(value + row);
            score = q.x * k.x + q.y * k.y + q.z * k.z + q.w * k.w;
        }
#pragma unroll
        for (int apart = 8; apart > 0; apart /= 2) score += __shfl_xor_sync(0xffffffffu, score, apart);
        const float top = fmaxf(peak, score), base = top == -INFINITY ? 0.0f : top, shrink = expf(peak - base), share = expf(score - base);
        peak = top;
        total = total * shrink + share;
        mix.x = mix.x * shrink + share * v.x;
        mix.y = mix.y * shrink + share * v.y;
        mix.z = mix.z * shrink + share * v.z;
        mix.w = mix.w * shrink + share * v.w;
    }
    join(peak, total, mix, 16);
    if (half == 0) reinterpret_cast<float4*>(out + (size_t)at * 64)[lane] = {mix.x / total, mix.y / total, mix.z / total, mix.w / total};
}

extern "C" void paged_decode(int batch, int kv_heads, int pages, int pool, const float* query, const float* key, const float* value,
                             const int32_t* table, const int32_t* length, float* out) {
    (void)pool;
    attend<<<batch * kv_heads, 128>>>(batch, kv_heads, pages, query, key, value, table, length, out);
}
