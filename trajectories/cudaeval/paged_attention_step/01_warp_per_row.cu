// Paged attention: a warp has one head of one sequence and goes along its tokens with an online softmax.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kPage = 16, kEach = 4;  // columns of a lane: 32 c + lane

__global__ void attend(int sequences, int heads, int groups, int width, int slots, const float* query, const float* keys, const float* values,
                       const int32_t* page, const int32_t* used, float* out) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= sequences * heads) return;
    const int s = warp / heads, group = warp % heads * groups / heads;
    const float scale = 1.0f / sqrtf((float)width);
    float q[kEach], sum[kEach] = {}, top = -INFINITY, total = 0.0f;
    for (int c = 0; c < kEach; ++c) q[c] = lane + 32 * c < width ? query[(size_t)warp * width + lane + 32 * c] * scale : 0.0f;
    for (int t = 0; t < used[s]; ++t) {
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
    for (int c = 0; c < kEach; ++c)
        if (lane + 32 * c < width) out[(size_t)warp * width + lane + 32 * c] = total > 0.0f ? sum[c] / total : 0.0f;
}

extern "C" void paged_attention_step(int sequences, int heads, int groups, int width, int, int slots, const float* query, const float* keys,
                                     const float* values, const int32_t* page, const int32_t* used, float* out) {
    attend<<<(sequences * heads + 3) / 4, 128>>>(sequences, heads, groups, width, slots, query, keys, values, page, used, out);
}
