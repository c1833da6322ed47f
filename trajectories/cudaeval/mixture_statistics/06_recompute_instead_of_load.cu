// Sums for a mixture of Gaussians: only a norm of each point is stored; shares are computed again, and nine sums are made at once.
#include <cuda_runtime.h>

constexpr int kDim = 4, kSums = 1 + 2 * kDim;  // kSums: of a component

struct Component {
    float mean[kDim], precision[kDim], bias;
};

__device__ float score_of(float4 quad, const Component* c) {
    const float x[kDim] = {quad.x, quad.y, quad.z, quad.w};
    float away = 0.0f;
    for (int d = 0; d < kDim; ++d) {
        const float apart = x[d] - c->mean[d];
        away += apart * apart * c->precision[d];
    }
    return c->bias - 0.5f * away;
}

// What the scores of a point are compared with: the logarithm of the sum of their exponentials.
__global__ void expect(int points, int components, const float4* point, const Component* component, float* norm) {
    extern __shared__ float table[];  // the components
    for (int j = threadIdx.x; j < components * kSums; j += blockDim.x) table[j] = ((const float*)component)[j];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const float4 x = point[i];
    float highest = -3.0e38f, all = 0.0f;
    for (int k = 0; k < components; ++k) {
        const float score = score_of(x, (const Component*)table + k), before = highest;
        highest = fmaxf(highest, score);
        all = all * expf(before - highest) + expf(score - highest);
    }
    norm[i] = highest + logf(all);
}

__device__ void put(int k, int which, float sum, float* weight, float* first, float* second) {
    if (which == 0)
        weight[k] = sum;
    else if (which <= kDim)
        first[k * kDim + which - 1] = sum;
    else
        second[k * kDim + which - 1 - kDim] = sum;
}

constexpr int kThreads = 256;

// A block has a component, whose shares it computes again and adds up, all nine sums at once.
__global__ void add_up(int points, const float4* point, const Component* component, const float* norm, float* weight, float* first,
                       float* second) {
    __shared__ double part[kSums][kThreads / 32];
    const Component own = component[blockIdx.x];
    float sum[kSums] = {};
    for (int p = threadIdx.x; p < points; p += kThreads) {
        const float4 x = point[p];
        const float share = expf(score_of(x, &own) - norm[p]);
        const float value[kDim] = {x.x, x.y, x.z, x.w};
        sum[0] += share;
#pragma unroll
        for (int d = 0; d < kDim; ++d) {
            sum[1 + d] += share * value[d];
            sum[1 + kDim + d] += share * value[d] * value[d];
        }
    }
#pragma unroll
    for (int s = 0; s < kSums; ++s) {
        double all = sum[s];
        for (int apart = 16; apart > 0; apart /= 2) all += __shfl_down_sync(0xffffffffu, all, apart);
        if (threadIdx.x % 32 == 0) part[s][threadIdx.x / 32] = all;
    }
    __syncthreads();
    if (threadIdx.x >= kSums) return;
    double all = 0.0;
    for (int w = 0; w < kThreads / 32; ++w) all += part[threadIdx.x][w];
    put(blockIdx.x, threadIdx.x, (float)all, weight, first, second);
}

extern "C" void mixture_statistics(int points, int components, const float* point, const float* numbers, float* weight, float* first,
                                   float* second) {
    const Component* component = (const Component*)numbers;
    float* norm = nullptr;
    cudaMalloc(&norm, sizeof(float) * points);
    const size_t bytes = sizeof(Component) * components;
    expect<<<(points - 1) / 128 + 1, 128, bytes>>>(points, components, (const float4*)point, component, norm);
    add_up<<<components, kThreads>>>(points, (const float4*)point, component, norm, weight, first, second);
    cudaFree(norm);
}
