// Paged decoding: one warp a query head, two of the 64 numbers a lane; rows are read in one piece.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Where the row of a token begins in the pool.
__device__ size_t row_of(const int32_t* page, int kv_heads, int head, int token) {
    return (((size_t)page[token / 16] * kv_heads + head) * 16 + token % 16) * 64;
}

__global__ void attend(int batch, int kv_heads, int pages, const float* __restrict__ query, const float* __restrict__ key,
                       const float* __restrict__ value, const int32_t* __restrict__ table, const int32_t* __restrict__ length,
                       float* __restrict__ out) {
    const int at = blockIdx.x * 4 + threadIdx.x / 32, heads = 4 * kv_heads, lane = threadIdx.x % 32;
    if (at >= batch * heads) return;
    const int s = at / heads, head = at % heads / 4, tokens = length[s];
    const int32_t* page = table + (size_t)s * pages;
    const float low = query[(size_t)at * 64 + lane] * 0.125f, high = query[(size_t)at * 64 + 32 + lane] * 0.125f;
    float peak = -INFINITY, total = 0.0f, mix_low = 0.0f, mix_high = 0.0f;
    for (int t = 0; t < tokens; ++t) {
        const size_t row = row_of(page, kv_heads, head, t) + lane;
        float score = low * key[row] + high * key[row + 32];
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) score += __shfl_xor_sync(0xffffffffu, score, apart);
        const float top = fmaxf(peak, score), shrink = expf(peak - top), share = expf(score - top);
        peak = top;
        total = total * shrink + share;
        mix_low = mix_low * shrink + share * value[row];
        mix_high = mix_high * shrink + share * value[row + 32];
    }
    out[(size_t)at * 64 + lane] = mix_low / total;
    out[(size_t)at * 64 + 32 + lane] = mix_high / total;
}

extern "C" void paged_decode(int batch, int kv_heads, int pages, int pool, const float* query, const float* key, const float* value,
                             const int32_t* table, const int32_t* length, float* out) {
    (void)pool;
    attend<<<batch * kv_heads, 128>>>(batch, kv_heads, pages, query, key, value, table, length, out);
}
