// Mean squared error: the threads of a warp add up by shuffles, which needs one barrier in a block in place of one a level of the tree.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kMostBlocks = 264;  // two blocks for each of 132 processors

__device__ float part_of_block[kMostBlocks];

// The square of a difference.
__device__ float square_of(float difference) { return difference * difference; }

// The sum over a block, in its first thread. Warps add up in registers; one barrier hands their sums to the first warp.
__device__ float block_sum(float sum) {
    __shared__ float part[kThreads / 32];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return 0.0f;
    sum = threadIdx.x < kThreads / 32 ? part[threadIdx.x] : 0.0f;
    for (int apart = kThreads / 64; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    return sum;
}

// A fixed grid walks the elements; each block leaves one part of the sum.
__global__ void add_up(int n, const float* predictions, const float* targets) {
    float sum = 0.0f;
#pragma unroll 4
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += square_of(predictions[i] - targets[i]);
    sum = block_sum(sum);
    if (threadIdx.x == 0) part_of_block[blockIdx.x] = sum;
}

// One block adds the parts up and divides.
__global__ void finish(int n, int parts, float* result) {
    float sum = 0.0f;
    for (int b = threadIdx.x; b < parts; b += kThreads) sum += part_of_block[b];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *result = sum / n;
}

extern "C" void mse(int n, const float* predictions, const float* targets, float* result) {
    const int blocks = n > kMostBlocks * kThreads ? kMostBlocks : n > 0 ? (n - 1) / kThreads + 1 : 1;
    add_up<<<blocks, kThreads>>>(n, predictions, targets);
    finish<<<1, kThreads>>>(n, blocks, result);
}
