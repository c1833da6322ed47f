// Monte Carlo integral: one sample a thread, which adds its share of the integral.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void add_up(int n, float low, float high, const float* samples, float* result) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) atomicAdd(result, (high - low) * samples[i] / n);
}

extern "C" void monte_carlo(int n, float low, float high, const float* samples, float* result) {
    cudaMemsetAsync(result, 0, sizeof(float));
    if (n > 0) add_up<<<(n - 1) / kThreads + 1, kThreads>>>(n, low, high, samples, result);
}
