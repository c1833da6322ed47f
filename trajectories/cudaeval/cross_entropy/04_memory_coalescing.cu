// Cross-entropy over ten classes: warps load the rows' memory in order and take the rows apart in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kWarps = kThreads / 32, kClasses = 10, kPairs = kClasses / 2;

// The pair at `p` of an array of pairs; in two loads where the array is not aligned for one.
template <bool kAligned>
__device__ float2 pair_at(const float* __restrict__ values, long long p) {
    if constexpr (kAligned) return ((const float2*)values)[p];
    return make_float2(values[2 * p], values[2 * p + 1]);
}

// The sum of the losses of 32 samples from `first` on, one a lane. Lanes load neighbouring pairs of the rows' stretch of memory and
// exchange them through `staged`; a row is an odd number of pairs there, so that lanes read their rows without bank conflicts.
template <bool kAligned>
__device__ float warp_losses(int n, int first, const float* __restrict__ logits, const int* __restrict__ labels, float2* staged) {
    const int lane = threadIdx.x % 32, rows = min(32, n - first);
    const int label = lane < rows ? labels[first + lane] : 0;
#pragma unroll
    for (int k = 0; k < kPairs; ++k) {
        const int p = k * 32 + lane;
        if (p < rows * kPairs) staged[p] = pair_at<kAligned>(logits, (long long)first * kPairs + p);
    }
    __syncwarp();
    float loss = 0.0f;
    if (lane < rows) {
        const float2* row = staged + lane * kPairs;
        float v[kClasses];
#pragma unroll
        for (int k = 0; k < kPairs; ++k) v[2 * k] = row[k].x, v[2 * k + 1] = row[k].y;
        float most = v[0], total = 0.0f;
#pragma unroll
        for (int c = 1; c < kClasses; ++c) most = fmaxf(most, v[c]);
#pragma unroll
        for (int c = 0; c < kClasses; ++c) total += expf(v[c] - most);
        loss = logf(total) + most - ((const float*)row)[label];
    }
    __syncwarp();  // before the rows are overwritten
    return loss;
}

template <bool kAligned>
__global__ void add_losses(int n, const float* __restrict__ logits, const int* __restrict__ labels, float* loss) {
    __shared__ float2 staged[kWarps][32 * kPairs];
    __shared__ float part[kThreads];
    const int warp = threadIdx.x / 32, first = blockIdx.x * kThreads + warp * 32;
    part[threadIdx.x] = first < n ? warp_losses<kAligned>(n, first, logits, labels, staged[warp]) : 0.0f;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(loss, part[0] / n);
}

extern "C" void cross_entropy(int n, const float* logits, const int* labels, float* loss) {
    cudaMemsetAsync(loss, 0, sizeof(float));
    const bool aligned = (uintptr_t)logits % 8 == 0;
    if (n > 0) (aligned ? add_losses<true> : add_losses<false>)<<<(n - 1) / kThreads + 1, kThreads>>>(n, logits, labels, loss);
}
