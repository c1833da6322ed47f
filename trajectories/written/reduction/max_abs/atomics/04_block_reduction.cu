// Largest absolute value: warps join by shuffles, the block by shared memory, one atomic per block.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMaxBlocks = 2048;

__device__ float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    return value;
}

// Non-negative floats order like their bit patterns, so an unsigned atomicMax serves as a float one.
__device__ void offer_block_max(float largest, unsigned int* result_bits) {
    __shared__ float warp_largest[kWarps];
    largest = warp_max(largest);
    if (threadIdx.x % 32 == 0) warp_largest[threadIdx.x / 32] = largest;
    __syncthreads();
    if (threadIdx.x < 32) {
        largest = warp_max(threadIdx.x < kWarps ? warp_largest[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0) atomicMax(result_bits, __float_as_uint(largest));
    }
}

__global__ void max_abs_kernel(int n, const float* x, unsigned int* result_bits) {
    long long stride = (long long)gridDim.x * blockDim.x;
    float largest = 0.0f;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) largest = fmaxf(largest, fabsf(x[i]));
    offer_block_max(largest, result_bits);
}

extern "C" void max_abs(int n, const float* x, float* result) {
    cudaMemsetAsync(result, 0, sizeof(float));  // the bits of 0.0f
    int needed = (n - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    max_abs_kernel<<<blocks, kThreads>>>(n, x, reinterpret_cast<unsigned int*>(result));
}
