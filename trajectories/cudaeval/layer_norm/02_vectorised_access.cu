// Layer normalisation over four features: a group is one load and one store of 16 bytes.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// A group of four; whole where both arrays are aligned for it.
template <bool kWhole>
__device__ float4 load(const float* x, long g) {
    if constexpr (kWhole) return ((const float4*)x)[g];
    return {x[4 * g], x[4 * g + 1], x[4 * g + 2], x[4 * g + 3]};
}

template <bool kWhole>
__device__ void store(float* y, long g, float4 v) {
    if constexpr (kWhole) {
        ((float4*)y)[g] = v;
    } else {
        y[4 * g] = v.x, y[4 * g + 1] = v.y, y[4 * g + 2] = v.z, y[4 * g + 3] = v.w;
    }
}

template <bool kWhole>
__global__ void normalise(long groups, const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                          float* __restrict__ y) {
    const long g = (long)blockIdx.x * kThreads + threadIdx.x;
    if (g >= groups) return;
    float4 v = load<kWhole>(x, g);
    const float mean = (v.x + v.y + v.z + v.w) / 4.0f;
    v.x -= mean, v.y -= mean, v.z -= mean, v.w -= mean;
    const float variance = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    const float scale = 1.0f / sqrtf(variance / 4.0f + 1e-5f);
    v.x = v.x * scale * gamma[0] + beta[0];
    v.y = v.y * scale * gamma[1] + beta[1];
    v.z = v.z * scale * gamma[2] + beta[2];
    v.w = v.w * scale * gamma[3] + beta[3];
    store<kWhole>(y, g, v);
}

extern "C" void layer_norm(int batch, int rows, int columns, const float* x, const float* gamma, const float* beta, float* y) {
    const long groups = (long)batch * rows * columns;
    if (groups == 0) return;
    const bool whole = ((uintptr_t)x | (uintptr_t)y) % 16 == 0;
    (whole ? normalise<true> : normalise<false>)<<<(groups - 1) / kThreads + 1, kThreads>>>(groups, x, gamma, beta, y);
}
