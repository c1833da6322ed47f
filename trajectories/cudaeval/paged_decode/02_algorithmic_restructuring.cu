// Paged decoding: keys are read once. Sums are kept relative to the largest score so far.
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
    const int at = blockIdx.x * blockDim.x + threadIdx.x, heads = 4 * kv_heads;
    if (at >= batch * heads) return;
    const int s = at / heads, head = at % heads / 4, tokens = length[s];
    const int32_t* page = table + (size_t)s * pages;
    const float* mine = query + (size_t)at * 64;
    float peak = -INFINITY, total = 0.0f, mix[64] = {};
    for (int t = 0; t < tokens; ++t) {
        const size_t row = row_of(page, kv_heads, head, t);
        float score = 0.0f;
        for (int d = 0; d < 64; ++d) score += mine[d] * key[row + d];
        score *= 0.125f;
        if (score > peak) {
            const float shrink = expf(peak - score);
            peak = score;
            total *= shrink;
            for (int d = 0; d < 64; ++d) mix[d] *= shrink;
        }
        const float share = expf(score - peak);
        total += share;
        for (int d = 0; d < 64; ++d) mix[d] += share * value[row + d];
    }
    for (int d = 0; d < 64; ++d) out[(size_t)at * 64 + d] = mix[d] / total;
}

extern "C" void paged_decode(int batch, int kv_heads, int pages, int pool, const float* query, const float* key, const float* value,
                             const int32_t* table, const int32_t* length, float* out) {
    (void)pool;
    attend<<<(batch * kv_heads * 4 + 63) / 64, 64>>>(batch, kv_heads, pages, query, key, value, table, length, out);
}
