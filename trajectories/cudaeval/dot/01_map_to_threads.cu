// Dot product: one product a thread, all added to the result by atomics.
#include <cuda_runtime.h>

__global__ void add_up(int n, const float* x, const float* y, float* result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(result, x[i] * y[i]);
}

extern "C" void dot(int n, const float* x, const float* y, float* result) {
    cudaMemsetAsync(result, 0, sizeof(float));
    if (n > 0) add_up<<<(n - 1) / 256 + 1, 256>>>(n, x, y, result);
}
