// Windowed attention: one warp a token. A lane scores one of 32 keys, then owns one of the 32 numbers of the result; weights pass between
// lanes by shuffles, and rows of v are read in one piece.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__device__ float warp_max(float value) {
    for (int gap = 16; gap > 0; gap /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, gap));
    return value;
}

__device__ float warp_sum(float value) {
    for (int gap = 16; gap > 0; gap /= 2) value += __shfl_xor_sync(0xffffffffu, value, gap);
    return value;
}

__global__ void attend(long long rows, int tokens, int window, const float* __restrict__ q, const float* __restrict__ k,
                       const float* __restrict__ v, float* __restrict__ out) {
    __shared__ float own[kWarps][32];
    int lane = threadIdx.x;
    long long row = (long long)blockIdx.x * kWarps + threadIdx.y;
    if (row >= rows) return;
    float* query = own[threadIdx.y];
    query[lane] = q[row * 32 + lane] * 0.17677669529663687f;
    __syncwarp();
    int t = (int)(row % tokens);
    float largest = -INFINITY, total = 0.0f, mix = 0.0f;
    for (long long first = row - min(t, window - 1); first <= row; first += 32) {
        long long j = first + lane;
        float dot = -INFINITY;
        if (j <= row) {
            dot = 0.0f;
#pragma unroll
            for (int d = 0; d < 32; ++d) dot += query[d] * k[j * 32 + d];
        }
        float peak = fmaxf(largest, warp_max(dot)), shrink = expf(largest - peak), share = expf(dot - peak);
        largest = peak;
        total = total * shrink + share;
        mix *= shrink;
        int keys = (int)min(32LL, row - first + 1);
        for (int i = 0; i < keys; ++i) mix += __shfl_sync(0xffffffffu, share, i) * v[(first + i) * 32 + lane];
    }
    out[row * 32 + lane] = mix / warp_sum(total);
}

extern "C" void window_attention(int heads, int tokens, int window, const float* q, const float* k, const float* v, float* out) {
    long long rows = (long long)heads * tokens;
    if (rows > 0) attend<<<(unsigned)((rows + kWarps - 1) / kWarps), dim3(32, kWarps)>>>(rows, tokens, window, q, k, v, out);
}
