// Sums for a mixture of Gaussians: one thread a point, then one thread a sum.
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

// The share of each component in a point.
__global__ void expect(int points, int components, const float* point, const Component* component, float* share) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    float* mine = share + (long long)i * components;
    float highest = -3.0e38f, all = 0.0f;
    for (int k = 0; k < components; ++k) {
        mine[k] = score_of(point + (long long)i * kDim, component + k);
        highest = fmaxf(highest, mine[k]);
    }
    for (int k = 0; k < components; ++k) {
        mine[k] = expf(mine[k] - highest);
        all += mine[k];
    }
    for (int k = 0; k < components; ++k) mine[k] /= all;
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

// One thread a sum.
__global__ void add_up(int points, int components, const float* point, const float* share, float* weight, float* first, float* second) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, k = i / kSums, which = i % kSums;
    if (k >= components) return;
    double sum = 0.0;
    for (int p = 0; p < points; ++p) sum += term(which, share[(long long)p * components + k], point + (long long)p * kDim);
    put(k, which, (float)sum, weight, first, second);
}

extern "C" void mixture_statistics(int points, int components, const float* point, const float* numbers, float* weight, float* first,
                                   float* second) {
    const Component* component = (const Component*)numbers;
    float* share = nullptr;
    cudaMalloc(&share, sizeof(float) * points * components);
    expect<<<(points - 1) / 128 + 1, 128>>>(points, components, point, component, share);
    add_up<<<(components * kSums - 1) / 64 + 1, 64>>>(points, components, point, share, weight, first, second);
    cudaFree(share);
}
