// Monte Carlo integral: up to 16384 samples are added up by one block of more threads, which has nobody to wait for.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kUsual = 256, kMostBlocks = 1024;   // threads of a block, and blocks
constexpr int kAlone = 1024, kMostAlone = 16384;  // threads of a block that adds everything up, samples up to which one does

// The sum over the block, in its first thread.
template <int kThreads>
__device__ float block_sum(float value) {
    constexpr int kWarps = kThreads / 32;
    __shared__ float part[kWarps];
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_down_sync(0xffffffffu, value, reach);
    __syncthreads();  // after the use before
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32) return 0.0f;
    value = threadIdx.x < kWarps ? part[threadIdx.x] : 0.0f;
    for (int reach = kWarps / 2; reach > 0; reach /= 2) value += __shfl_down_sync(0xffffffffu, value, reach);
    return value;
}

__device__ float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// This thread's share of the samples, added up. Where they are aligned they are loaded by fours, two loads under way at once.
template <int kThreads, bool kAligned>
__device__ float own_sum(int n, const float* __restrict__ samples) {
    const long long threads = (long long)gridDim.x * kThreads, me = (long long)blockIdx.x * kThreads + threadIdx.x;
    const long long fours = kAligned ? n / 4 : 0;
    float sum = 0.0f, other = 0.0f;
    long long i = me;
    for (; i + threads < fours; i += 2 * threads) {
        const float4 v = ((const float4*)samples)[i], w = ((const float4*)samples)[i + threads];
        sum += sum_of(v);
        other += sum_of(w);
    }
    if (i < fours) sum += sum_of(((const float4*)samples)[i]);
    for (i = 4 * fours + me; i < n; i += threads) sum += samples[i];
    return sum + other;
}

__device__ float partial[kMostBlocks];
__device__ unsigned finished;  // blocks that have left their sum; wraps around to 0 with the last one

template <int kThreads, bool kAligned>
__global__ void __launch_bounds__(kThreads) add_up(int n, float low, float high, const float* __restrict__ samples, float* result) {
    __shared__ bool is_last;
    float sum = block_sum<kThreads>(own_sum<kThreads, kAligned>(n, samples));
    if (gridDim.x == 1) {
        if (threadIdx.x == 0) *result = (high - low) * sum / n;
        return;
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();  // the sum is seen before the count
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    sum = 0.0f;
    for (int b = threadIdx.x; b < gridDim.x; b += kThreads) sum += __ldcg(partial + b);
    sum = block_sum<kThreads>(sum);
    if (threadIdx.x == 0) *result = (high - low) * sum / n;
}

template <int kThreads>
void launch(int blocks, int n, float low, float high, const float* samples, float* result) {
    const bool aligned = (uintptr_t)samples % 16 == 0;
    (aligned ? add_up<kThreads, true> : add_up<kThreads, false>)<<<blocks, kThreads>>>(n, low, high, samples, result);
}

extern "C" void monte_carlo(int n, float low, float high, const float* samples, float* result) {
    if (n <= 0) return;
    const int blocks = min((n - 1) / (4 * kUsual) + 1, kMostBlocks);
    if (blocks > 1 && n <= kMostAlone)
        launch<kAlone>(1, n, low, high, samples, result);
    else
        launch<kUsual>(blocks, n, low, high, samples, result);
}
