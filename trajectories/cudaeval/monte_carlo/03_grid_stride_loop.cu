// Monte Carlo integral: as many blocks as the device holds walk over the samples; each reduces once, by shuffles, at its end.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kWarps = kThreads / 32, kMostBlocks = 1024;

// The sum over the block, in its first thread.
__device__ float block_sum(float value) {
    __shared__ float part[kWarps];
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_down_sync(0xffffffffu, value, reach);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < kWarps; ++w) value += part[w];
    return value;
}

__global__ void add_up(int n, float low, float high, const float* __restrict__ samples, float* result) {
    float sum = 0.0f;
    for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += samples[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(result, (high - low) * sum / n);
}

extern "C" void monte_carlo(int n, float low, float high, const float* samples, float* result) {
    cudaMemsetAsync(result, 0, sizeof(float));
    if (n > 0) add_up<<<min((n - 1) / kThreads + 1, kMostBlocks), kThreads>>>(n, low, high, samples, result);
}
