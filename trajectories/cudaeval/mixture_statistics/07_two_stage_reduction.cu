// Sums for a mixture of Gaussians: the points are cut into slices, whose sums a last kernel adds up.
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

constexpr int kThreads = 256, kOwn = 4, kSlice = kThreads * kOwn;  // points of a thread and of a block

// A block has a slice of the points and a component, whose shares it computes again and adds up, all nine sums at once.
__global__ void add_up(int points, const float4* point, const Component* component, const float* norm, double* sums) {
    __shared__ double part[kSums][kThreads / 32];
    const Component own = component[blockIdx.x];
    float sum[kSums] = {};
    const int begin = blockIdx.y * kSlice;
    for (int p = begin + threadIdx.x; p < min(points, begin + kSlice); p += kThreads) {
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
    sums[((long long)blockIdx.y * gridDim.x + blockIdx.x) * kSums + threadIdx.x] = all;
}

// One warp a sum over the slices.
__global__ void finish(int slices, int components, const double* sums, float* weight, float* first, float* second) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= components * kSums) return;
    double all = 0.0;
    for (int s = lane; s < slices; s += 32) all += sums[(long long)s * components * kSums + i];
    for (int apart = 16; apart > 0; apart /= 2) all += __shfl_down_sync(0xffffffffu, all, apart);
    if (lane == 0) put(i / kSums, i % kSums, (float)all, weight, first, second);
}

extern "C" void mixture_statistics(int points, int components, const float* point, const float* numbers, float* weight, float* first,
                                   float* second) {
    const Component* component = (const Component*)numbers;
    const int slices = (points - 1) / kSlice + 1;
    float* norm = nullptr;
    double* sums = nullptr;
    cudaMalloc(&norm, sizeof(float) * points);
    cudaMalloc(&sums, sizeof(double) * slices * components * kSums);
    const size_t bytes = sizeof(Component) * components;
    expect<<<(points - 1) / 128 + 1, 128, bytes>>>(points, components, (const float4*)point, component, norm);
    add_up<<<dim3(components, slices), kThreads>>>(points, (const float4*)point, component, norm, sums);
    finish<<<(components * kSums - 1) / 4 + 1, 128>>>(slices, components, sums, weight, first, second);
    cudaFree(sums);
    cudaFree(norm);
}
