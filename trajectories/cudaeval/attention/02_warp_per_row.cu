// Attention: a warp shares the scores of a row, which are computed once.
#include <cuda_runtime.h>

#include <cmath>

constexpr int kWarps = 8, kThreads = 32 * kWarps;

__device__ float warp_max(float value) {
    for (int reach = 16; reach > 0; reach /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, reach));
    return value;
}

__device__ float warp_sum(float value) {
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(0xffffffffu, value, reach);
    return value;
}

// A warp a row of a head, 32 keys at a time: a lane scores one key, then takes one of 32 columns. What has been summed is scaled down
// where a larger score turns up, so that one pass is enough.
__global__ void attend(int n, int d, int width, float scale, const float* __restrict__ q, const float* __restrict__ k,
                       const float* __restrict__ v, float* __restrict__ out) {
    const int lane = threadIdx.x % 32, row = blockIdx.x * kWarps + threadIdx.x / 32;
    if (row >= n) return;
    const int first = blockIdx.y * width, column = blockIdx.z * 32 + lane;
    const float* own = q + (long long)row * d + first;
    float most = -INFINITY, total = 0.0f, sum = 0.0f;
    for (int begin = 0; begin < n; begin += 32) {
        float score = -INFINITY;
        if (begin + lane < n) {
            const float* key = k + (long long)(begin + lane) * d + first;
            float dot = 0.0f;
            for (int c = 0; c < width; ++c) dot += own[c] * key[c];
            score = __fmul_rn(dot, scale);  // rounded: as the largest score is, which is subtracted from it
        }
        const float before = most;
        most = fmaxf(most, warp_max(score));
        const float weight = expf(score - most), shrink = expf(before - most);
        total = total * shrink + weight;
        sum *= shrink;
        for (int t = 0; t < min(32, n - begin); ++t) {
            const float of_key = __shfl_sync(0xffffffffu, weight, t);
            if (column < width) sum += of_key * v[(long long)(begin + t) * d + first + column];
        }
    }
    total = warp_sum(total);
    if (column < width) out[(long long)row * d + first + column] = sum / total;
}

extern "C" void attention(int n, int d, int h, const float* q, const float* k, const float* v, float* out) {
    if (n == 0 || d == 0) return;
    const int width = d / h;
    const dim3 blocks((n - 1) / kWarps + 1, h, (width - 1) / 32 + 1);
    attend<<<blocks, kThreads>>>(n, d, width, 1.0f / sqrtf((float)width), q, k, v, out);
}
