// Attention with slopes: a warp has a query; lanes share its columns, and the softmax goes along in one pass.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kMost = 4;  // columns of a lane

__device__ int begin_of(int sequences, const int32_t* start, int t) {
    int begin = -1;
    for (int s = 0; s < sequences; ++s)
        if (start[s] <= t) begin = start[s];
    return begin;
}

__device__ float lanes_sum(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(kAll, value, apart);
    return value;
}

__global__ void attend(int sequences, int tokens, int heads, int width, const int32_t* start, const float* slope, const float* q,
                       const float* k, const float* v, float* mixed) {
    const int t = (blockIdx.x * blockDim.x + threadIdx.x) / 32, h = blockIdx.y, lane = threadIdx.x % 32;
    if (t >= tokens) return;
    const size_t row = (size_t)heads * width;
    const float scale = 1.0f / sqrtf((float)width), lean = slope[h];
    float query[kMost], out[kMost] = {};
#pragma unroll
    for (int c = 0; c < kMost; ++c) query[c] = lane + 32 * c < width ? q[t * row + h * width + lane + 32 * c] * scale : 0.0f;
    const int begin = begin_of(sequences, start, t);
    float top = -INFINITY, total = 0.0f;
    for (int j = begin; begin >= 0 && j <= t; ++j) {
        const size_t at = j * row + h * width + lane;
        float dot = 0.0f;
#pragma unroll
        for (int c = 0; c < kMost; ++c)
            if (lane + 32 * c < width) dot += query[c] * k[at + 32 * c];
        const float score = lanes_sum(dot) - lean * (float)(t - j), higher = fmaxf(top, score);
        const float keep = expf(top - higher), weight = expf(score - higher);
        top = higher;
        total = total * keep + weight;
#pragma unroll
        for (int c = 0; c < kMost; ++c)
            if (lane + 32 * c < width) out[c] = out[c] * keep + weight * v[at + 32 * c];
    }
#pragma unroll
    for (int c = 0; c < kMost; ++c)
        if (lane + 32 * c < width) mixed[t * row + h * width + lane + 32 * c] = begin < 0 ? 0.0f : out[c] / total;
}

extern "C" void slope_attention(int sequences, int tokens, int heads, int width, const int32_t* start, const float* slope, const float* q,
                                const float* k, const float* v, float* mixed) {
    attend<<<dim3((tokens + 3) / 4, heads), 128>>>(sequences, tokens, heads, width, start, slope, q, k, v, mixed);
}
