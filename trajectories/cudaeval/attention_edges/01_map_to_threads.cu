// Attention weights: one vertex a thread.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

__device__ float scored(float near, float far) {
    const float s = near + far;
    return s < 0.0f ? 0.2f * s : s;
}

__global__ void weigh(int vertices, const int32_t* row, const int32_t* to, const float* near, const float* far, float* weight) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    float most = -INFINITY, sum = 0.0f;
    for (int e = row[v]; e < row[v + 1]; ++e) {
        weight[e] = scored(near[v], far[to[e]]);
        most = fmaxf(most, weight[e]);
    }
    for (int e = row[v]; e < row[v + 1]; ++e) {
        weight[e] = expf(weight[e] - most);
        sum += weight[e];
    }
    for (int e = row[v]; e < row[v + 1]; ++e) weight[e] /= sum;
}

extern "C" void attention_edges(int vertices, int links, const int32_t* row, const int32_t* to, const float* near, const float* far,
                                float* weight) {
    weigh<<<(vertices - 1) / 128 + 1, 128>>>(vertices, row, to, near, far, weight);
}
