// Cross-entropy over ten classes: blocks leave their sums with a mark in the same word, and the one that started last watches for them:
// one way through memory where counting blocks takes three.
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

constexpr int kMostBlocks = 1024;

// A block's sum beside a mark, since it may be 0 itself. All 0 between calls.
constexpr unsigned long long kThere = 1ull << 32;
__device__ unsigned long long left[kMostBlocks];
__device__ unsigned started;  // blocks of a call; wraps around to 0 with the last one

// The sum over the block, in its first thread.
__device__ float block_sum(float value) {
    __shared__ float part[kWarps];
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_down_sync(0xffffffffu, value, reach);
    __syncthreads();  // after the use before
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < kWarps; ++w) value += part[w];
    return value;
}

// The sum over all blocks, in the one that started last, which takes away what the others leave. They wait for nobody.
__device__ float sum_of_all(float sum) {
    if (threadIdx.x > 0) sum = 0.0f;
    for (int b = threadIdx.x; b + 1 < gridDim.x; b += kThreads) {
        unsigned long long seen;
        do seen = atomicExch(left + b, 0);
        while (seen == 0);
        sum += __uint_as_float((unsigned)seen);
    }
    return block_sum(sum);
}

template <bool kAligned>
__global__ void add_losses(int n, const float* __restrict__ logits, const int* __restrict__ labels, float* loss) {
    __shared__ float2 staged[kWarps][32 * kPairs];
    __shared__ unsigned order;
    unsigned counted = 0;
    if (threadIdx.x == 0 && gridDim.x > 1) counted = atomicInc(&started, gridDim.x - 1);  // on its way while data are loaded
    const int warp = threadIdx.x / 32;
    float sum = 0.0f;
    for (long long first = (long long)blockIdx.x * kThreads + warp * 32; first < n; first += (long long)gridDim.x * kThreads)
        sum += warp_losses<kAligned>(n, first, logits, labels, staged[warp]);
    if (threadIdx.x == 0) order = counted;
    sum = block_sum(sum);
    if (order + 1 < gridDim.x) {
        if (threadIdx.x == 0) atomicExch(left + order, kThere | __float_as_uint(sum));
        return;
    }
    if (gridDim.x > 1) sum = sum_of_all(sum);
    if (threadIdx.x == 0) *loss = sum / n;
}

extern "C" void cross_entropy(int n, const float* logits, const int* labels, float* loss) {
    const bool aligned = (uintptr_t)logits % 8 == 0;
    const int blocks = min((n - 1) / kThreads + 1, kMostBlocks);
    if (n > 0) (aligned ? add_losses<true> : add_losses<false>)<<<blocks, kThreads>>>(n, logits, labels, loss);
}
