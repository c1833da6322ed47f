// Largest absolute value: one thread per element, one atomic maximum per thread.
#include <cuda_runtime.h>

// Non-negative floats order like their bit patterns, so an unsigned atomicMax serves as a float one.
__global__ void max_abs_kernel(int n, const float* x, unsigned int* result_bits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(result_bits, __float_as_uint(fabsf(x[i])));
}

extern "C" void max_abs(int n, const float* x, float* result) {
    cudaMemsetAsync(result, 0, sizeof(float));  // the bits of 0.0f
    const int threads = 256;
    const int blocks = (n - 1) / threads + 1;
    max_abs_kernel<<<blocks, threads>>>(n, x, reinterpret_cast<unsigned int*>(result));
}
