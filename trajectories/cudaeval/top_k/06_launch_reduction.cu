// Top k: up to 8192 elements all count those before them, which takes one launch in place of three.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 1024, kBins = 4096, kMostBlocks = 128, kCapacity = 16384;

__device__ int counts[kBins];  // all 0 between calls
__device__ unsigned finished;  // blocks that have counted; wraps around to 0 with the last one
__device__ int lowest;         // the bin of the k-th largest element
__device__ int gathered;       // elements in that bin and those above; only kCapacity of them are kept
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
    for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) atomicAdd(own + bin_of(x[i]), 1);
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

constexpr int kMostCounted = 8192, kRankThreads = 256, kOwn = 4;

// Four elements from `i` on.
template <bool kAligned>
__device__ float4 load(const float* __restrict__ x, int i) {
    if constexpr (kAligned) return *(const float4*)(x + i);
    return {x[i], x[i + 1], x[i + 2], x[i + 3]};
}

// Four elements from `i` on, of which some may be past the end: there stands minus infinity, which is above nothing.
__device__ float4 load_last(int n, const float* __restrict__ x, int i) {
    const auto at = [&](int j) { return j < n ? x[j] : -INFINITY; };
    return {at(i), at(i + 1), at(i + 2), at(i + 3)};
}

// Counts which of four elements come before each own one: those above it, and where they stand before it in the array those equal to it.
// In floats, which hold such counts exactly: a comparison then gives what is to be added.
template <bool kLeft>
__device__ void count(float4 four, const float (&own)[kOwn], float (&before)[kOwn]) {
    const float other[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int o = 0; o < kOwn; ++o) before[o] += (kLeft ? other[i] >= own[o] : other[i] > own[o]) ? 1.0f : 0.0f;
}

// A warp has four elements and counts for all of them; those that fewer than k come before go to their places.
template <bool kAligned>
__global__ void __launch_bounds__(kRankThreads) rank_and_place(int n, int k, const float* __restrict__ x, float* __restrict__ top) {
    const int lane = threadIdx.x % 32, first = (blockIdx.x * (kRankThreads / 32) + threadIdx.x / 32) * kOwn, whole = n / 4 * 4;
    if (first >= n) return;
    const float4 four = load_last(n, x, first);
    const float own[kOwn] = {four.x, four.y, four.z, four.w};
    float before[kOwn] = {};
#pragma unroll 4
    for (int i = 4 * lane; i < first; i += 4 * 32) count<true>(load<kAligned>(x, i), own, before);
#pragma unroll 4
    for (int i = first + kOwn + 4 * lane; i < whole; i += 4 * 32) count<false>(load<kAligned>(x, i), own, before);
    if (lane == 0 && first < whole) count<false>(load_last(n, x, whole), own, before);
#pragma unroll
    for (int o = 0; o < kOwn; ++o) {
        for (int reach = 16; reach > 0; reach /= 2) before[o] += __shfl_xor_sync(0xffffffffu, before[o], reach);
#pragma unroll
        for (int p = 0; p < kOwn; ++p)
            if (p < o ? own[p] >= own[o] : own[p] > own[o]) before[o] += 1.0f;
        if (lane == 0 && first + o < n && before[o] < k) top[(int)before[o]] = own[o];
    }
}

extern "C" void top_k(int n, int k, const float* x, float* top) {
    if (n <= 0 || k <= 0) return;
    if (n <= kMostCounted) {
        const auto kernel = (uintptr_t)x % 16 == 0 ? rank_and_place<true> : rank_and_place<false>;
        kernel<<<(n - 1) / (kRankThreads / 32 * kOwn) + 1, kRankThreads>>>(n, k, x, top);
        return;
    }
    const int blocks = min((n - 1) / kThreads + 1, kMostBlocks);
    count_and_pick<<<blocks, kThreads>>>(n, k, x);
    gather<<<blocks, kThreads>>>(n, x);
    place<<<kMostBlocks, kThreads>>>(n, k, x, top);
}
