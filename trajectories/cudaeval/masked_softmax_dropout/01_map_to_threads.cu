// Masked softmax: one row a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool dropped(uint32_t seed, uint32_t threshold, uint32_t element) {
    uint32_t x = element * 2654435769u + seed;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    return x < threshold;
}

__global__ void softmax(int rows, int queries, int keys, float scale, uint32_t seed, uint32_t threshold, const float* score, const uint8_t* pad,
                        float* p) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const int last = r % queries + keys - queries;
    const uint8_t* hidden = pad + (size_t)(r / queries) * keys;
    const size_t row = (size_t)r * keys;
    const float kept = 1.0f / (1.0f - (float)threshold / 4294967296.0f);
    float top = -INFINITY, sum = 0.0f;
    for (int j = 0; j <= last; ++j)
        if (!hidden[j]) top = fmaxf(top, scale * score[row + j]);
    for (int j = 0; j <= last; ++j)
        if (!hidden[j]) sum += expf(scale * score[row + j] - top);
    for (int j = 0; j < keys; ++j) {
        const bool zero = j > last || hidden[j] || dropped(seed, threshold, (uint32_t)(row + j));
        p[row + j] = zero ? 0.0f : expf(scale * score[row + j] - top) / sum * kept;
    }
}

extern "C" void masked_softmax_dropout(int batch, int queries, int keys, float scale, uint32_t seed, uint32_t threshold, const float* score,
                                       const uint8_t* pad, float* p) {
    softmax<<<(batch * queries + 127) / 128, 128>>>(batch * queries, queries, keys, scale, seed, threshold, score, pad, p);
}
