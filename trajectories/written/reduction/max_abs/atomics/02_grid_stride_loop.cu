// Largest absolute value: each thread keeps a maximum over many elements and issues one atomic.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 2048;

// Non-negative floats order like their bit patterns, so an unsigned atomicMax serves as a float one.
__global__ void max_abs_kernel(int n, const float* x, unsigned int* result_bits) {
    long long stride = (long long)gridDim.x * blockDim.x;
    float largest = 0.0f;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) largest = fmaxf(largest, fabsf(x[i]));
    atomicMax(result_bits, __float_as_uint(largest));
}

extern "C" void max_abs(int n, const float* x, float* result) {
    cudaMemsetAsync(result, 0, sizeof(float));  // the bits of 0.0f
    int needed = (n - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    max_abs_kernel<<<blocks, kThreads>>>(n, x, reinterpret_cast<unsigned int*>(result));
}
