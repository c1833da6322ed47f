// Sum: up to 16384 elements are added up by one block of more threads, which has nobody to wait for.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kUsual = 256, kMostBlocks = 264;    // threads of a block; two blocks for each of 132 processors
constexpr int kAlone = 1024, kMostAlone = 16384;  // threads of a block that adds everything up, elements up to which one does

// Zero between calls, which the last block of each sees to.
__device__ float total;
__device__ unsigned finished;

// The sum over a block, in its first thread. Warps add up in registers; one barrier hands their sums to the first warp.
template <int kThreads>
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
template <int kThreads>
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

template <int kThreads>
__global__ void __launch_bounds__(kThreads) add_up(int n, int quads, const float* x, float* result) {
    const float sum = block_sum<kThreads>(thread_sum<kThreads>(n, quads, x));
    if (threadIdx.x != 0) return;
    if (gridDim.x == 1) {
        *result = sum;
        return;
    }
    atomicAdd(&total, sum);
    __threadfence();  // the block's part is in the total before the block counts as finished
    if (atomicInc(&finished, gridDim.x - 1) != gridDim.x - 1) return;
    __threadfence();
    *result = atomicExch(&total, 0.0f);
}

extern "C" void sum(int n, const float* x, float* result) {
    // Arrays that are not aligned have no quads.
    const int quads = (uintptr_t)x % 16 == 0 ? n / 4 : 0, threads = quads > 0 ? quads : n;
    if (threads > kUsual && n <= kMostAlone) {
        add_up<kAlone><<<1, kAlone>>>(n, quads, x, result);
        return;
    }
    const int blocks = min((threads - 1) / kUsual + 1, kMostBlocks);
    add_up<kUsual><<<blocks, kUsual>>>(n, quads, x, result);
}
