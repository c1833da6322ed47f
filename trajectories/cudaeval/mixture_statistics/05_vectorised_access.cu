// Sums for a mixture of Gaussians: a point is loaded at once.
#include <cuda_runtime.h>

constexpr int kDim = 4, kSums = 1 + 2 * kDim;  // kSums: of a component

struct Component {
    float mean[kDim], precision[kDim], bias;
};

__device__ float score_of(const float* x, const Component* c) {
    float away = 0.0f;
    for (int d = 0; d < kDim; ++d) {
        const float apart = x[d] - c->mean[d];
        away += apart * apart * c->precision[d];
    }
    return c->bias - 0.5f * away;
}

// The share of each component in a point; the points of a component lie side by side.
__global__ void expect(int points, int components, const float* point, const Component* component, float* share) {
    extern __shared__ float table[];  // the components
    for (int j = threadIdx.x; j < components * kSums; j += blockDim.x) table[j] = ((const float*)component)[j];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const float4 quad = ((const float4*)point)[i];
    const float x[kDim] = {quad.x, quad.y, quad.z, quad.w};
    float* mine = share + i;
    float highest = -3.0e38f, all = 0.0f;
    for (int k = 0; k < components; ++k) {
        mine[(long long)k * points] = score_of(x, (const Component*)table + k);
        highest = fmaxf(highest, mine[(long long)k * points]);
    }
    for (int k = 0; k < components; ++k) {
        mine[(long long)k * points] = expf(mine[(long long)k * points] - highest);
        all += mine[(long long)k * points];
    }
    for (int k = 0; k < components; ++k) mine[(long long)k * points] /= all;
}

__device__ float term(int which, float share, const float* x) {
    if (which == 0) return share;
    const float value = x[(which - 1) % kDim];
    return which <= kDim ? share * value : share * value * value;
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

// One block a sum.
__global__ void add_up(int points, int components, const float* point, const float* share, float* weight, float* first, float* second) {
    __shared__ double part[kThreads];
    const int k = blockIdx.x / kSums, which = blockIdx.x % kSums;
    double sum = 0.0;
    for (int p = threadIdx.x; p < points; p += kThreads)
        sum += term(which, share[(long long)k * points + p], point + (long long)p * kDim);
    part[threadIdx.x] = sum;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) put(k, which, (float)part[0], weight, first, second);
}

extern "C" void mixture_statistics(int points, int components, const float* point, const float* numbers, float* weight, float* first,
                                   float* second) {
    const Component* component = (const Component*)numbers;
    float* share = nullptr;
    cudaMalloc(&share, sizeof(float) * points * components);
    expect<<<(points - 1) / 128 + 1, 128, sizeof(Component) * components>>>(points, components, point, component, share);
    add_up<<<components * kSums, kThreads>>>(points, components, point, share, weight, first, second);
    cudaFree(share);
}
