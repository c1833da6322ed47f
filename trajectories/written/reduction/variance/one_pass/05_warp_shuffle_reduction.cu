// Variance in one pass; triples of moments are merged by warp shuffles, in both stages.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 512;
constexpr int kGroup = 8;

struct Moments {
    float count, mean, m2;  // m2: sum of squared deviations from the mean
};

// Chan's formula for two disjoint parts.
__device__ Moments merged(Moments a, Moments b) {
    if (b.count == 0.0f) return a;
    float count = a.count + b.count;
    float delta = b.mean - a.mean;
    float share = b.count / count;
    return {count, a.mean + delta * share, a.m2 + b.m2 + delta * delta * a.count * share};
}

// Welford's update by one element.
__device__ void add(Moments& m, float value) {
    m.count += 1.0f;
    float delta = value - m.mean;
    m.mean += delta / m.count;
    m.m2 += delta * (value - m.mean);
}

// Moments of kGroup values: two short passes over registers, no division.
__device__ Moments moments_of(const float (&values)[kGroup]) {
    float sum = 0.0f;
#pragma unroll
    for (int g = 0; g < kGroup; ++g) sum += values[g];
    float mean = sum * (1.0f / kGroup);
    float m2 = 0.0f;
#pragma unroll
    for (int g = 0; g < kGroup; ++g) m2 += (values[g] - mean) * (values[g] - mean);
    return {(float)kGroup, mean, m2};
}

__device__ Moments warp_moments(Moments m) {
    for (int offset = 16; offset > 0; offset /= 2) {
        Moments other;
        other.count = __shfl_down_sync(0xffffffffu, m.count, offset);
        other.mean = __shfl_down_sync(0xffffffffu, m.mean, offset);
        other.m2 = __shfl_down_sync(0xffffffffu, m.m2, offset);
        m = merged(m, other);
    }
    return m;  // complete in lane 0
}

// Moments over the block; complete in thread 0.
__device__ Moments block_moments(Moments m) {
    constexpr int kWarps = kThreads / 32;
    __shared__ Moments parts[kWarps];
    m = warp_moments(m);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = m;
    __syncthreads();
    if (threadIdx.x < 32) {
        Moments empty = {0.0f, 0.0f, 0.0f};
        m = warp_moments(threadIdx.x < kWarps ? parts[threadIdx.x] : empty);
    }
    return m;
}

__global__ void partial_moments(int n, const float* x, Moments* partial) {
    Moments m = {0.0f, 0.0f, 0.0f};
    const long long stride = (long long)gridDim.x * kThreads;
    long long i = blockIdx.x * kThreads + threadIdx.x;
    for (; i + (kGroup - 1) * stride < n; i += kGroup * stride) {
        float values[kGroup];
#pragma unroll
        for (int g = 0; g < kGroup; ++g) values[g] = x[i + g * stride];
        m = merged(m, moments_of(values));
    }
    for (; i < n; i += stride) add(m, x[i]);
    m = block_moments(m);
    if (threadIdx.x == 0) partial[blockIdx.x] = m;
}

__global__ void finish(int n, int count, const Moments* partial, float* result) {
    Moments m = {0.0f, 0.0f, 0.0f};
    for (int i = threadIdx.x; i < count; i += kThreads) m = merged(m, partial[i]);
    m = block_moments(m);
    if (threadIdx.x == 0) *result = m.m2 / n;
}

extern "C" void variance(int n, const float* x, float* result) {
    int needed = (n - 1) / (kThreads * kGroup) + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    Moments* partial = nullptr;
    cudaMalloc(&partial, blocks * sizeof(Moments));
    partial_moments<<<blocks, kThreads>>>(n, x, partial);
    finish<<<1, kThreads>>>(n, blocks, partial, result);
    cudaFree(partial);
}
