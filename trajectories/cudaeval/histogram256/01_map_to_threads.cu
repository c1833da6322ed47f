// Histogram: one value a thread, counted in global memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kBins = 256;

__global__ void count(int n, const int* x, int* bins) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) atomicAdd(bins + x[i], 1);
}

extern "C" void histogram256(int n, const int* x, int* bins) {
    cudaMemsetAsync(bins, 0, kBins * sizeof(int));
    if (n > 0) count<<<(n - 1) / kThreads + 1, kThreads>>>(n, x, bins);
}
