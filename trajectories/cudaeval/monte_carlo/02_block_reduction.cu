// Monte Carlo integral: a block adds its samples up in shared memory, so that one atomic operation stands for 256.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void add_up(int n, float low, float high, const float* samples, float* result) {
    __shared__ float part[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    part[threadIdx.x] = i < n ? samples[i] : 0.0f;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, (high - low) * part[0] / n);
}

extern "C" void monte_carlo(int n, float low, float high, const float* samples, float* result) {
    cudaMemsetAsync(result, 0, sizeof(float));
    if (n > 0) add_up<<<(n - 1) / kThreads + 1, kThreads>>>(n, low, high, samples, result);
}
