// Paged attention: eight warps share a head's tokens and join their softmaxes in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kPage = 16, kEach = 4, kWarps = 8;  // columns of a lane: 32 c + lane

__global__ void attend(int sequences, int heads, int groups, int width, int slots, const float* query, const float* keys, const float* values,
                       const int32_t* page, const int32_t* used, float* out) {
    __shared__ float tops[kWarps], totals[kWarps], sums[kWarps][32 * kEach];
    const int row_of = blockIdx.x, part = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int s = row_of / heads, group = row_of % heads * groups / heads;
    const float scale = 1.0f / sqrtf((float)width);
    float q[kEach], sum[kEach] = {}, top = -INFINITY, total = 0.0f;
    for (int c = 0; c < kEach; ++c) q[c] = lane + 32 * c < width ? query[(size_t)row_of * width + lane + 32 * c] * scale : 0.0f;
    for (int t = part; t < used[s]; t += kWarps) {
        const size_t row = (((size_t)page[(size_t)s * slots + t / kPage] * kPage + t % kPage) * groups + group) * width;
        float dot = 0.0f;
        for (int c = 0; c < kEach; ++c)
            if (lane + 32 * c < width) dot += q[c] * keys[row + lane + 32 * c];
        for (int apart = 16; apart > 0; apart /= 2) dot += __shfl_xor_sync(kAll, dot, apart);
        const float higher = fmaxf(top, dot), keep = expf(top - higher), weight = expf(dot - higher);
        top = higher;
        total = total * keep + weight;
        for (int c = 0; c < kEach; ++c)
            if (lane + 32 * c < width) sum[c] = sum[c] * keep + weight * values[row + lane + 32 * c];
    }
    if (lane == 0) {
        tops[part] = top;
        totals[part] = total;
    }
    for (int c = 0; c < kEach; ++c) sums[part][lane + 32 * c] = sum[c];
    __syncthreads();
    float highest = -INFINITY, whole = 0.0f;
    for (int w = 0; w < kWarps; ++w) highest = fmaxf(highest, tops[w]);
    for (int w = 0; w < kWarps; ++w) whole += totals[w] > 0.0f ? totals[w] * expf(tops[w] - highest) : 0.0f;
    for (int c = threadIdx.x; c < width; c += 32 * kWarps) {
        float mixed = 0.0f;
        for (int w = 0; w < kWarps; ++w)
            if (totals[w] > 0.0f) mixed += sums[w][c] * expf(tops[w] - highest);
        out[(size_t)row_of * width + c] = whole > 0.0f ? mixed / whole : 0.0f;
    }
}

extern "C" void paged_attention_step(int sequences, int heads, int groups, int width, int, int slots, const float* query, const float* keys,
                                     const float* values, const int32_t* page, const int32_t* used, float* out) {
    attend<<<sequences * heads, 32 * kWarps>>>(sequences, heads, groups, width, slots, query, keys, values, page, used, out);
}
