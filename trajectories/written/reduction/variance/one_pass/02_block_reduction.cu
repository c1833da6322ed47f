// Variance in two passes; blocks reduce by a tree in shared memory, a one-thread finish adds the block sums.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBlocks = 64;

// Sum over the block; complete in thread 0.
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

__global__ void partial_sums(int n, const float* x, float* partial) {
    float sum = 0.0f;
    for (long long i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kBlocks * kThreads) sum += x[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void partial_squares(int n, const float* x, const float* mean, float* partial) {
    float center = *mean;
    float sum = 0.0f;
    for (long long i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kBlocks * kThreads) {
        float deviation = x[i] - center;
        sum += deviation * deviation;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void mean_of(int n, int count, const float* partial, float* result) {
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) sum += partial[i];
    *result = sum / n;
}

extern "C" void variance(int n, const float* x, float* result) {
    float* scratch = nullptr;  // the block sums, then the mean
    cudaMalloc(&scratch, (kBlocks + 1) * sizeof(float));
    float* mean = scratch + kBlocks;
    partial_sums<<<kBlocks, kThreads>>>(n, x, scratch);
    mean_of<<<1, 1>>>(n, kBlocks, scratch, mean);
    partial_squares<<<kBlocks, kThreads>>>(n, x, mean, scratch);
    mean_of<<<1, 1>>>(n, kBlocks, scratch, result);
    cudaFree(scratch);
}
