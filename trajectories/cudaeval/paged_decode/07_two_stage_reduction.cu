// Paged decoding: a sequence is cut into shares of four pages, a block each; a second kernel joins their sums.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int kPages = 4;  // a block's share of a sequence

// The weighted sum over one share of a sequence, and what it needs to be joined with the others.
struct alignas(16) Part {
    float mix[64];
    float peak, total, unused[2];
};

__global__ void attend(int batch, int kv_heads, int pages, const float* __restrict__ query, const float* __restrict__ key,
                       const float* __restrict__ value, const int32_t* __restrict__ table, const int32_t* __restrict__ length,
                       Part* __restrict__ parts) {
    __shared__ float4 keys[16][17], own[4][16];
    __shared__ float2 values[16][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, at = blockIdx.x * 4 + warp, token = lane % 16, half = lane / 16;
    const int s = blockIdx.x / kv_heads, head = blockIdx.x % kv_heads, tokens = length[s];
    const int first_page = blockIdx.y * kPages, last_page = min(first_page + kPages, (tokens + 15) / 16);
    if (first_page >= last_page) return;
    const int32_t* page = table + (size_t)s * pages;
    if (half == 0) own[warp][token] = reinterpret_cast<const float4*>(query + (size_t)at * 64)[token];
    float peak = -INFINITY, total = 0.0f;
    float2 mix = {};
    for (int p = first_page; p < last_page; ++p) {
        __syncthreads();
        const size_t from = ((size_t)page[p] * kv_heads + head) * 1024;
        for (int i = threadIdx.x; i < 256; i += 128) {
            keys[i / 16][i % 16] = reinterpret_cast<const float4*>(key + from)[i];
            reinterpret_cast<float4*>(values)[i] = reinterpret_cast<const float4*>(value + from)[i];
        }
        __syncthreads();
        float score = 0.0f;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const float4 k = keys[token][8 * half + i], q = own[warp][8 * half + i];
            score += q.x * k.x + q.y * k.y + q.z * k.z + q.w * k.w;
        }
        score = (score + __shfl_xor_sync(0xffffffffu, score, 16)) * 0.125f;
        if (16 * p + token >= tokens) score = -INFINITY;
        float top = score;
#pragma unroll
        for (int apart = 8; apart > 0; apart /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, apart));
        top = fmaxf(top, peak);
        const float shrink = expf(peak - top), share = expf(score - top);
        peak = top;
        total = total * shrink + share;
        mix.x *= shrink;
        mix.y *= shrink;
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const float weight = __shfl_sync(0xffffffffu, share, i);
            mix.x += weight * values[i][lane].x;
            mix.y += weight * values[i][lane].y;
        }
    }
#pragma unroll
    for (int apart = 8; apart > 0; apart /= 2) total += __shfl_xor_sync(0xffffffffu, total, apart);
    Part& part = parts[(size_t)at * gridDim.y + blockIdx.y];
    reinterpret_cast<float2*>(part.mix)[lane] = mix;
    if (lane == 0) part.peak = peak, part.total = total;
}

__global__ void combine(int batch, int kv_heads, int splits, const Part* __restrict__ parts, const int32_t* __restrict__ length,
                        float* __restrict__ out) {
    const int at = blockIdx.x * 4 + threadIdx.x / 64, d = threadIdx.x % 64, heads = 4 * kv_heads;
    if (at >= batch * heads) return;
    const int used = (length[at / heads] + 16 * kPages - 1) / (16 * kPages);
    const Part* mine = parts + (size_t)at * splits;
    float peak = -INFINITY, total = 0.0f, mix = 0.0f;
    for (int i = 0; i < used; ++i) peak = fmaxf(peak, mine[i].peak);
    for (int i = 0; i < used; ++i) {
        const float share = expf(mine[i].peak - peak);
        total += share * mine[i].total;
        mix += share * mine[i].mix[d];
    }
    out[(size_t)at * 64 + d] = mix / total;
}

extern "C" void paged_decode(int batch, int kv_heads, int pages, int pool, const float* query, const float* key, const float* value,
                             const int32_t* table, const int32_t* length, float* out) {
    (void)pool;
    const int splits = (pages + kPages - 1) / kPages;
    Part* parts = nullptr;
    cudaMallocAsync(&parts, sizeof(Part) * batch * kv_heads * 4 * splits, 0);
    attend<<<dim3(batch * kv_heads, splits), 128>>>(batch, kv_heads, pages, query, key, value, table, length, parts);
    combine<<<batch * kv_heads, 256>>>(batch, kv_heads, splits, parts, length, out);
    cudaFreeAsync(parts, 0);
}
