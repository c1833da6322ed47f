// Windowed attention: one thread a token of a head; a first pass for the largest score, a second one for the weights.
#include <cuda_runtime.h>

__device__ float score(const float* query, const float* key) {
    float dot = 0.0f;
    for (int d = 0; d < 32; ++d) dot += query[d] * key[d];
    return dot * 0.17677669529663687f;
}

__global__ void attend(long long rows, int tokens, int window, const float* q, const float* k, const float* v, float* out) {
    long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int t = (int)(row % tokens);
    long long first = row - min(t, window - 1);
    float largest = -INFINITY, total = 0.0f;
    for (long long j = first; j <= row; ++j) largest = fmaxf(largest, score(q + row * 32, k + j * 32));
    float mix[32] = {};
    for (long long j = first; j <= row; ++j) {
        float share = expf(score(q + row * 32, k + j * 32) - largest);
        total += share;
        for (int d = 0; d < 32; ++d) mix[d] += share * v[j * 32 + d];
    }
    for (int d = 0; d < 32; ++d) out[row * 32 + d] = mix[d] / total;
}

extern "C" void window_attention(int heads, int tokens, int window, const float* q, const float* k, const float* v, float* out) {
    long long rows = (long long)heads * tokens;
    if (rows > 0) attend<<<(unsigned)((rows + 127) / 128), 128>>>(rows, tokens, window, q, k, v, out);
}
