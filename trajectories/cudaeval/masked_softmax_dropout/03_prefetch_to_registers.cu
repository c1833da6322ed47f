// Masked softmax: up to 512 keys a row stay in registers, read once and exponentiated once.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool dropped(uint32_t seed, uint32_t threshold, uint32_t element) {
    uint32_t x = element * 2654435769u + seed;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    return x < threshold;
}

constexpr int kEach = 16;

__device__ float lanes_max(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, apart));
    return value;
}

__device__ float lanes_sum(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void softmax(int rows, int queries, int keys, float scale, uint32_t seed, uint32_t threshold, const float* score, const uint8_t* pad,
                        float* p) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const int last = r % queries + keys - queries;
    const uint8_t* hidden = pad + (size_t)(r / queries) * keys;
    const size_t row = (size_t)r * keys;
    const float kept = 1.0f / (1.0f - (float)threshold / 4294967296.0f);
    float top = -INFINITY, sum = 0.0f;
    if (keys <= 32 * kEach) {
        float value[kEach];
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            const int j = lane + 32 * k;
            value[k] = j <= last && !hidden[j] ? scale * score[row + j] : -INFINITY;
            top = fmaxf(top, value[k]);
        }
        top = lanes_max(top);
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            value[k] = value[k] == -INFINITY ? 0.0f : expf(value[k] - top);
            sum += value[k];
        }
        sum = lanes_sum(sum);
        const float factor = sum > 0.0f ? kept / sum : 0.0f;
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            const int j = lane + 32 * k;
            if (j < keys) p[row + j] = dropped(seed, threshold, (uint32_t)(row + j)) ? 0.0f : value[k] * factor;
        }
        return;
    }
    for (int j = lane; j <= last; j += 32)
        if (!hidden[j]) top = fmaxf(top, scale * score[row + j]);
    top = lanes_max(top);
    for (int j = lane; j <= last; j += 32)
        if (!hidden[j]) sum += expf(scale * score[row + j] - top);
    sum = lanes_sum(sum);
    for (int j = lane; j < keys; j += 32) {
        const bool zero = j > last || hidden[j] || dropped(seed, threshold, (uint32_t)(row + j));
        p[row + j] = zero ? 0.0f : expf(scale * score[row + j] - top) / sum * kept;
    }
}

extern "C" void masked_softmax_dropout(int batch, int queries, int keys, float scale, uint32_t seed, uint32_t threshold, const float* score,
                                       const uint8_t* pad, float* p) {
    softmax<<<(batch * queries + 3) / 4, 128>>>(batch * queries, queries, keys, scale, seed, threshold, score, pad, p);
}
