// Dot product: each block reduces its threads' sums by a tree in shared memory; one thread adds the block sums.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBlocks = 64;

__global__ void block_dots(int n, const float* x, const float* y, float* partial) {
    __shared__ float sums[kThreads];
    long long stride = (long long)gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) sum += x[i] * y[i];

    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int active = kThreads / 2; active > 0; active /= 2) {
        if (threadIdx.x < active) sums[threadIdx.x] += sums[threadIdx.x + active];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

__global__ void add_up(int count, const float* partial, float* result) {
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) sum += partial[i];
    *result = sum;
}

extern "C" void dot(int n, const float* x, const float* y, float* result) {
    float* partial = nullptr;
    cudaMalloc(&partial, kBlocks * sizeof(float));
    block_dots<<<kBlocks, kThreads>>>(n, x, y, partial);
    add_up<<<1, 1>>>(kBlocks, partial, result);
    cudaFree(partial);
}
