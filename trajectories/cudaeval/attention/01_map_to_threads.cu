// Attention: one element of the output a thread, which goes over the scores of its row twice: for the largest, then for the sums.
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 128;

// Rounded alike wherever it is inlined, so that no score is above the largest one.
__device__ float score(const float* q, const float* k, int width, float scale) {
    float dot = 0.0f;
    for (int c = 0; c < width; ++c) dot = fmaf(q[c], k[c], dot);
    return __fmul_rn(dot, scale);  // nor joined with what is subtracted from it
}

__global__ void attend(int n, int d, int width, float scale, const float* q, const float* k, const float* v, float* out) {
    const long long e = (long long)blockIdx.x * kThreads + threadIdx.x;
    if (e >= (long long)n * d) return;
    const int column = e % d;
    const float* own = q + e - column % width;  // the head's part of the row
    k += column - column % width;
    float most = -INFINITY, total = 0.0f, sum = 0.0f;
    for (int j = 0; j < n; ++j) most = fmaxf(most, score(own, k + (long long)j * d, width, scale));
    for (int j = 0; j < n; ++j) {
        const float weight = expf(score(own, k + (long long)j * d, width, scale) - most);
        total += weight;
        sum += weight * v[(long long)j * d + column];
    }
    out[e] = sum / total;
}

extern "C" void attention(int n, int d, int h, const float* q, const float* k, const float* v, float* out) {
    const int width = d / h;
    const long long elements = (long long)n * d;
    if (elements == 0) return;
    attend<<<(elements - 1) / kThreads + 1, kThreads>>>(n, d, width, 1.0f / sqrtf((float)width), q, k, v, out);
}
