// Top k: each block counts in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kBins = 4096, kPickers = 1024, kMostBlocks = 256, kCapacity = 16384;

__device__ int counts[kBins];
__device__ int lowest;     // the bin of the k-th largest element
__device__ int gathered;   // elements in that bin and those above; only kCapacity of them are kept
__device__ float candidate[kCapacity];

// The upper twelve bits of a number that grows with the element: 8 bins for each power of two.
__device__ int bin_of(float x) {
    const unsigned bits = __float_as_uint(x);
    return (bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u)) >> 20;
}

// A block counts in shared memory; most elements fall into few bins, for which all blocks would contend.
__global__ void count(int n, const float* __restrict__ x) {
    __shared__ int own[kBins];
    for (int b = threadIdx.x; b < kBins; b += kThreads) own[b] = 0;
    __syncthreads();
    for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        atomicAdd(own + bin_of(x[i]), 1);
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += kThreads)
        if (own[b] > 0) atomicAdd(counts + b, own[b]);
}

// One block: running sums from the highest bin down tell which one holds the k-th element.
__global__ void pick(int k) {
    constexpr int kOwn = kBins / kPickers;
    __shared__ int sum[kPickers];
    const int highest = kBins - 1 - threadIdx.x * kOwn;  // of the bins of this thread
    int own = 0;
    for (int o = 0; o < kOwn; ++o) own += counts[highest - o];
    sum[threadIdx.x] = own;
    __syncthreads();
    int reached = own;
    for (int reach = 1; reach < kPickers; reach *= 2) {
        const int above = threadIdx.x >= reach ? sum[threadIdx.x - reach] : 0;
        __syncthreads();
        sum[threadIdx.x] = reached += above;
        __syncthreads();
    }
    if (reached >= k && reached - own < k) {
        int bin = highest, left = k - (reached - own);
        while (left > counts[bin]) left -= counts[bin--];
        lowest = bin;
    }
}

__global__ void gather(int n, const float* __restrict__ x) {
    const int least = lowest;
    for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
        if (bin_of(x[i]) < least) continue;
        const int at = atomicAdd(&gathered, 1);
        if (at < kCapacity) candidate[at] = x[i];
    }
}

// Candidates count those before them among each other; among all elements where there are too many to keep.
__global__ void place(int n, int k, const float* __restrict__ x, float* __restrict__ top) {
    const bool kept = gathered <= kCapacity;
    const float* from = kept ? candidate : x;
    const int size = kept ? gathered : n;
    for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < size; i += gridDim.x * kThreads) {
        const float own = from[i];
        int before = 0;
        for (int j = 0; j < size && before < k; ++j) before += from[j] > own || (from[j] == own && j < i);
        if (before < k) top[before] = own;
    }
}

extern "C" void top_k(int n, int k, const float* x, float* top) {
    if (n <= 0 || k <= 0) return;
    void *at_counts, *at_gathered;
    cudaGetSymbolAddress(&at_counts, counts);
    cudaGetSymbolAddress(&at_gathered, gathered);
    cudaMemsetAsync(at_counts, 0, sizeof(int) * kBins);
    cudaMemsetAsync(at_gathered, 0, sizeof(int));
    const int blocks = min((n - 1) / kThreads + 1, kMostBlocks);
    count<<<blocks, kThreads>>>(n, x);
    pick<<<1, kPickers>>>(k);
    gather<<<blocks, kThreads>>>(n, x);
    place<<<blocks, kThreads>>>(n, k, x, top);
}
