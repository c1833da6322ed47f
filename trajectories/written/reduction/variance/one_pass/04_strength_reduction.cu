// Variance in one pass; eight elements at a time, so that there is one division for eight elements.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBlocks = 64;
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

// Moments over the block; complete in thread 0.
__device__ Moments block_moments(Moments m) {
    __shared__ Moments parts[kThreads];
    parts[threadIdx.x] = m;
    __syncthreads();
    for (int active = kThreads / 2; active > 0; active /= 2) {
        if (threadIdx.x < active) parts[threadIdx.x] = merged(parts[threadIdx.x], parts[threadIdx.x + active]);
        __syncthreads();
    }
    return parts[0];
}

__global__ void partial_moments(int n, const float* x, Moments* partial) {
    Moments m = {0.0f, 0.0f, 0.0f};
    const long long stride = kBlocks * kThreads;
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
    Moments m = partial[0];
    for (int i = 1; i < count; ++i) m = merged(m, partial[i]);
    *result = m.m2 / n;
}

extern "C" void variance(int n, const float* x, float* result) {
    Moments* partial = nullptr;
    cudaMalloc(&partial, kBlocks * sizeof(Moments));
    partial_moments<<<kBlocks, kThreads>>>(n, x, partial);
    finish<<<1, 1>>>(n, kBlocks, partial, result);
    cudaFree(partial);
}
