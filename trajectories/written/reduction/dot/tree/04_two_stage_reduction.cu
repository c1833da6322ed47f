// Dot product in two stages: up to 1024 blocks each deliver one sum, then one block adds those.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1024;

// Sum over the block by a tree in shared memory; complete in thread 0.
__device__ float block_sum(float value) {
    __shared__ float sums[kThreads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int active = kThreads / 2; active > 0; active /= 2) {
        if (threadIdx.x < active) sums[threadIdx.x] += sums[threadIdx.x + active];
        __syncthreads();
    }
    return sums[0];
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
