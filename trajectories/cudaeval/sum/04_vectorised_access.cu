// Sum: four elements are loaded at once, and a fixed grid walks them, so that more loads are in flight and fewer blocks add up.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kMostBlocks = 264;  // two blocks for each of 132 processors

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

// A thread's part of the sum: quads first, then the elements that fill none.
__device__ float thread_sum(int n, int quads, const float* x) {
    const int first = blockIdx.x * kThreads + threadIdx.x, step = gridDim.x * kThreads;
    float sum = 0.0f;
#pragma unroll 4
    for (int i = first; i < quads; i += step) {
        const float4 v = ((const float4*)x)[i];
        sum += v.x + v.y + (v.z + v.w);
    }
    for (int i = 4 * quads + first; i < n; i += step) sum += x[i];
    return sum;
}

__global__ void add_up(int n, int quads, const float* x, float* result) {
    const float sum = block_sum(thread_sum(n, quads, x));
    if (threadIdx.x == 0) atomicAdd(result, sum);
}

extern "C" void sum(int n, const float* x, float* result) {
    // Arrays that are not aligned have no quads.
    const int quads = (uintptr_t)x % 16 == 0 ? n / 4 : 0, threads = quads > 0 ? quads : n;
    const int blocks = threads > kMostBlocks * kThreads ? kMostBlocks : threads > 0 ? (threads - 1) / kThreads + 1 : 1;
    cudaMemsetAsync(result, 0, sizeof(float));
    add_up<<<blocks, kThreads>>>(n, quads, x, result);
}
