// Paged attention: a warp scores four tokens at once, so that four rows of keys are on their way, and raises its top once for them.
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
    const int end = used[s];
    for (int from = 4 * part; from < end; from += 4 * kWarps) {
        size_t row[4];
        float dot[4] = {}, higher = top;
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            const int t = min(from + n, end - 1);
            row[n] = (((size_t)page[(size_t)s * slots + t / kPage] * kPage + t % kPage) * groups + group) * width + lane;
#pragma unroll
            for (int c = 0; c < kEach; ++c)
                if (lane + 32 * c < width) dot[n] += q[c] * keys[row[n] + 32 * c];
        }
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            for (int apart = 16; apart > 0; apart /= 2) dot[n] += __shfl_xor_sync(kAll, dot[n], apart);
            if (from + n >= end) dot[n] = -INFINITY;
            higher = fmaxf(higher, dot[n]);
        }
        const float keep = expf(top - higher);
        top = higher;
        total *= keep;
#pragma unroll
        for (int c = 0; c < kEach; ++c) sum[c] *= keep;
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            const float weight = expf(dot[n] - higher);
            total += weight;
#pragma unroll
            for (int c = 0; c < kEach; ++c)
                if (lane + 32 * c < width) sum[c] += weight * values[row[n] + 32 * c];
        }
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
