// Ridge regression: one warp for each system; rows in registers, reciprocal square roots in place of divisions.
#include <cuda_runtime.h>

constexpr int kMax = 32;
constexpr int kPitch = 33;  // lanes that read their own rows then meet 32 different banks
constexpr unsigned kAll = 0xffffffffu;

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAll, value, distance);
    return value;
}

__global__ void solve(int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    __shared__ float staged[kMax * kPitch];
    int b = blockIdx.x, lane = threadIdx.x;
    const float* G = gram + (size_t)b * k * k;
    for (int e = lane; e < k * k; e += 32) staged[e / k * kPitch + e % k] = G[e];
    __syncwarp();
    float shift = ridge[b];
    float inverse = 0.0f;  // lane j: 1 / L[j][j]
    float a[kMax];  // row `lane`, of which columns 0 to lane matter; indices are constants after unrolling
#pragma unroll
    for (int c = 0; c < kMax; ++c) {
        a[c] = c <= lane && lane < k ? staged[lane * kPitch + c] : 0.0f;
        if (c == lane) a[c] += shift;
    }

#pragma unroll
    for (int j = 0; j < kMax; ++j) {
        if (j < k) {
            float scale = rsqrtf(__shfl_sync(kAll, a[j], j));
            if (lane == j) inverse = scale;
            a[j] *= scale;
#pragma unroll
            for (int c = j + 1; c < kMax; ++c) {
                float other = __shfl_sync(kAll, a[j], c);
                if (lane >= c) a[c] -= a[j] * other;
            }
        }
    }

    float v = lane < k ? rhs[(size_t)b * k + lane] : 0.0f;
#pragma unroll
    for (int j = 0; j < kMax; ++j) {
        if (j < k) {
            if (lane == j) v *= inverse;
            float solved = __shfl_sync(kAll, v, j);
            if (lane > j) v -= a[j] * solved;
        }
    }
    // Column j of the factor is spread over the lanes, so going back each unknown needs a sum across the warp.
#pragma unroll
    for (int j = kMax - 1; j >= 0; --j) {
        if (j < k) {
            float below = warp_sum(lane > j && lane < k ? a[j] * v : 0.0f);
            if (lane == j) v = (v - below) * inverse;
        }
    }
    if (lane < k) x[(size_t)b * k + lane] = v;
}

extern "C" void ridge_solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    if (batch > 0) solve<<<batch, 32>>>(k, gram, ridge, rhs, x);
}
