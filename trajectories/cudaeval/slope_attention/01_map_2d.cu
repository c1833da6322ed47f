// Attention with slopes: one query of one head a thread, two passes over the keys.
#include <cuda_runtime.h>

#include <cstdint>

// Where the token's sequence begins; -1 for a token before all sequences.
__device__ int begin_of(int sequences, const int32_t* start, int t) {
    int begin = -1;
    for (int s = 0; s < sequences; ++s)
        if (start[s] <= t) begin = start[s];
    return begin;
}

__global__ void attend(int sequences, int tokens, int heads, int width, const int32_t* start, const float* slope, const float* q,
                       const float* k, const float* v, float* mixed) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y;
    if (t >= tokens) return;
    const size_t row = (size_t)heads * width;
    const float scale = 1.0f / sqrtf((float)width);
    const float* query = q + t * row + h * width;
    float* out = mixed + t * row + h * width;
    for (int c = 0; c < width; ++c) out[c] = 0.0f;
    const int begin = begin_of(sequences, start, t);
    if (begin < 0) return;
    float top = -INFINITY, total = 0.0f;
    for (int pass = 0; pass < 2; ++pass) {
        for (int j = begin; j <= t; ++j) {
            const float* key = k + j * row + h * width;
            float dot = 0.0f;
            for (int c = 0; c < width; ++c) dot += query[c] * key[c];
            const float score = dot * scale - slope[h] * (float)(t - j);
            if (pass == 0) {
                top = fmaxf(top, score);
                continue;
            }
            const float weight = expf(score - top);
            total += weight;
            for (int c = 0; c < width; ++c) out[c] += weight * v[j * row + h * width + c];
        }
    }
    for (int c = 0; c < width; ++c) out[c] /= total;
}

extern "C" void slope_attention(int sequences, int tokens, int heads, int width, const int32_t* start, const float* slope, const float* q,
                                const float* k, const float* v, float* mixed) {
    attend<<<dim3((tokens + 63) / 64, heads), 64>>>(sequences, tokens, heads, width, start, slope, q, k, v, mixed);
}
