// Attention weights: one vertex a warp; lanes take neighbouring links.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

__device__ float scored(float near, float far) {
    const float s = near + far;
    return s < 0.0f ? 0.2f * s : s;
}

__global__ void weigh(int vertices, const int32_t* __restrict__ row, const int32_t* __restrict__ to, const float* __restrict__ near,
                      const float* __restrict__ far, float* __restrict__ weight) {
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= vertices) return;
    const int begin = row[v] + lane, end = row[v + 1];
    const float mine = near[v];
    float most = -INFINITY, sum = 0.0f;
    for (int e = begin; e < end; e += 32) {
        const float s = scored(mine, far[to[e]]);
        weight[e] = s;
        most = fmaxf(most, s);
    }
    for (int apart = 16; apart > 0; apart /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, apart));
    for (int e = begin; e < end; e += 32) {  // each lane reads what it wrote
        const float part = expf(weight[e] - most);
        weight[e] = part;
        sum += part;
    }
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(kAll, sum, apart);
    for (int e = begin; e < end; e += 32) weight[e] /= sum;
}

extern "C" void attention_edges(int vertices, int links, const int32_t* row, const int32_t* to, const float* near, const float* far,
                                float* weight) {
    weigh<<<(vertices - 1) / 4 + 1, 128>>>(vertices, row, to, near, far, weight);
}
