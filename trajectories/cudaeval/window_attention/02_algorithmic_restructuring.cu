// Windowed attention in one pass: sums are kept relative to the largest score so far and scaled down when a larger one comes.
#include <cuda_runtime.h>

__global__ void attend(long long rows, int tokens, int window, const float* q, const float* k, const float* v, float* out) {
    long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int t = (int)(row % tokens);
    float largest = -INFINITY, total = 0.0f, mix[32] = {}, query[32];
#pragma unroll
    for (int d = 0; d < 32; ++d) query[d] = q[row * 32 + d] * 0.17677669529663687f;
    for (long long j = row - min(t, window - 1); j <= row; ++j) {
        float dot = 0.0f;
#pragma unroll
        for (int d = 0; d < 32; ++d) dot += query[d] * k[j * 32 + d];
        if (dot > largest) {
            float shrink = expf(largest - dot);
            largest = dot;
            total *= shrink;
#pragma unroll
            for (int d = 0; d < 32; ++d) mix[d] *= shrink;
        }
        float share = expf(dot - largest);
        total += share;
#pragma unroll
        for (int d = 0; d < 32; ++d) mix[d] += share * v[j * 32 + d];
    }
#pragma unroll
    for (int d = 0; d < 32; ++d) out[row * 32 + d] = mix[d] / total;
}

extern "C" void window_attention(int heads, int tokens, int window, const float* q, const float* k, const float* v, float* out) {
    long long rows = (long long)heads * tokens;
    if (rows > 0) attend<<<(unsigned)((rows + 127) / 128), 128>>>(rows, tokens, window, q, k, v, out);
}
