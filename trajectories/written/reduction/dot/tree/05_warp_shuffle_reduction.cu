// Dot product in two stages; warps reduce in registers by shuffles, one barrier joins them.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1024;

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;  // complete in lane 0
}

// Sum over the block; complete in thread 0.
__device__ float block_sum(float value) {
    constexpr int kWarps = kThreads / 32;
    __shared__ float warp_sums[kWarps];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) value = warp_sum(threadIdx.x < kWarps ? warp_sums[threadIdx.x] : 0.0f);
    return value;
}

__global__ void block_dots(int n, const float* x, const float* y, float* partial) {
    long long stride = (long long)gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) sum += x[i] * y[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void add_up(int count, const float* partial, float* result) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < count; i += kThreads) sum += partial[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *result = sum;
}

extern "C" void dot(int n, const float* x, const float* y, float* result) {
    int needed = (n - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    float* partial = nullptr;
    cudaMalloc(&partial, blocks * sizeof(float));
    block_dots<<<blocks, kThreads>>>(n, x, y, partial);
    add_up<<<1, kThreads>>>(blocks, partial, result);
    cudaFree(partial);
}
