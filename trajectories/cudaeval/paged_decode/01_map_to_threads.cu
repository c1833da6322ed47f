// Paged decoding: one thread a query head; the largest score in a first pass, weights in a second.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Where the row of a token begins in the pool.
__device__ size_t row_of(const int32_t* page, int kv_heads, int head, int token) {
    return (((size_t)page[token / 16] * kv_heads + head) * 16 + token % 16) * 64;
}

__device__ float product(const float* a, const float* b) {
    float sum = 0.0f;
    for (int d = 0; d < 64; ++d) sum += a[d] * b[d];
    return sum;
}

__global__ void attend(int batch, int kv_heads, int pages, const float* __restrict__ query, const float* __restrict__ key,
                       const float* __restrict__ value, const int32_t* __restrict__ table, const int32_t* __restrict__ length,
                       float* __restrict__ out) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x, heads = 4 * kv_heads;
    if (at >= batch * heads) return;
    const int s = at / heads, head = at % heads / 4;
    const int32_t* page = table + (size_t)s * pages;
    const float* mine = query + (size_t)at * 64;
    float peak = -INFINITY, total = 0.0f, mix[64] = {};
    for (int t = 0; t < length[s]; ++t) peak = fmaxf(peak, product(mine, key + row_of(page, kv_heads, head, t)) * 0.125f);
    for (int t = 0; t < length[s]; ++t) {
        const size_t row = row_of(page, kv_heads, head, t);
        const float share = expf(product(mine, key + row) * 0.125f - peak);
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
