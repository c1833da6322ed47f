// Top k: the last block to count picks the bin and clears the counts: three launches in place of six.
#include <cuda_runtime.h>

constexpr int kThreads = 1024, kBins = 4096, kMostBlocks = 128, kCapacity = 16384;

__device__ int counts[kBins];   // all 0 between calls
__device__ unsigned finished;   // blocks that have counted; wraps around to 0 with the last one
__device__ int lowest;     // the bin of the k-th largest element
__device__ int gathered;   // elements in that bin and those above; only kCapacity of them are kept
__device__ float candidate[kCapacity];

// The upper twelve bits of a number that grows with the element: 8 bins for each power of two.
__device__ int bin_of(float x) {
    const unsigned bits = __float_as_uint(x);
    return (bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u)) >> 20;
}

// All blocks count; the last one to finish takes the counts and finds from running sums, from the highest bin down, which bin holds
// the k-th element. It leaves everything as the next call wants it.
__global__ void __launch_bounds__(kThreads) count_and_pick(int n, int k, const float* __restrict__ x) {
    __shared__ int own[kBins];
    for (int b = threadIdx.x; b < kBins; b += kThreads) own[b] = 0;
    __syncthreads();
    for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        atomicAdd(own + bin_of(x[i]), 1);
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += kThreads)
        if (own[b] > 0) atomicAdd(counts + b, own[b]);
    __shared__ bool is_last;
    __threadfence();  // the counts are seen before this block is counted
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    constexpr int kOwn = kBins / kThreads;
    __shared__ int part[kThreads / 32];
    const int highest = kBins - 1 - threadIdx.x * kOwn, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int taken[kOwn], sum = 0;
#pragma unroll
    for (int o = 0; o < kOwn; ++o) sum += taken[o] = atomicExch(counts + highest - o, 0);
    int reached = sum;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int above = __shfl_up_sync(0xffffffffu, reached, reach);
        if (lane >= reach) reached += above;
    }
    if (lane == 31) part[warp] = reached;
    __syncthreads();
    for (int w = 0; w < warp; ++w) reached += part[w];
    int above = reached - sum;
    if (reached >= k && above < k) {
        int bin = highest;
#pragma unroll
        for (int o = 0; o < kOwn; ++o)
            if (above < k) bin = highest - o, above += taken[o];
        lowest = bin;
    }
    if (threadIdx.x == 0) gathered = 0;
}

__global__ void gather(int n, const float* __restrict__ x) {
    const int least = lowest;
    for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
        if (bin_of(x[i]) < least) continue;
        const int at = atomicAdd(&gathered, 1);
        if (at < kCapacity) candidate[at] = x[i];
    }
}

// Candidates count those before them among each other; among all elements where there are too many to keep. A warp a candidate: there
// are fewer candidates than threads. Each ballot counts 32 elements for all lanes.
__global__ void place(int n, int k, const float* __restrict__ x, float* __restrict__ top) {
    const bool kept = gathered <= kCapacity;
    const float* from = kept ? candidate : x;
    const int size = kept ? gathered : n, lane = threadIdx.x % 32;
    for (long long i = ((long long)blockIdx.x * kThreads + threadIdx.x) / 32; i < size; i += gridDim.x * kThreads / 32) {
        const float own = from[i];
        int before = 0;
        for (long long begin = 0; begin < size && before < k; begin += 32) {
            const long long j = begin + lane;
            const float other = j < size ? from[j] : 0.0f;
            before += __popc(__ballot_sync(0xffffffffu, j < size && (other > own || (other == own && j < i))));
        }
        if (lane == 0 && before < k) top[before] = own;
    }
}

extern "C" void top_k(int n, int k, const float* x, float* top) {
    if (n <= 0 || k <= 0) return;
    const int blocks = min((n - 1) / kThreads + 1, kMostBlocks);
    count_and_pick<<<blocks, kThreads>>>(n, k, x);
    gather<<<blocks, kThreads>>>(n, x);
    place<<<kMostBlocks, kThreads>>>(n, k, x, top);
}
