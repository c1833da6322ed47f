// Latency buckets: each block counts in a table of all services in shared memory, if that fits.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBuckets = 124;
constexpr int kLargeBlock = 1024;
constexpr int kMaxBlocks = 264;
constexpr size_t kMostShared = 200 * 1024;

__device__ int bucket_of(unsigned value) {
    int shift = max(29 - __clz((int)value), 0);  // leaves three bits, the highest of them set for values from 4 on
    return 4 * shift + (int)(value >> shift);
}

__global__ void count(int n, const int* service, const unsigned* latency, unsigned* counts, unsigned* slowest) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&counts[(size_t)service[i] * kBuckets + bucket_of(latency[i])], 1u);
    atomicMax(&slowest[service[i]], latency[i]);
}

// The table holds the counters of all services, then their maxima.
__global__ void count_shared(int n, int services, const int* service, const unsigned* latency, unsigned* counts,
                             unsigned* slowest) {
    extern __shared__ unsigned table[];
    int counters = services * kBuckets;
    unsigned* largest = table + counters;
    for (int i = threadIdx.x; i < counters + services; i += kLargeBlock) table[i] = 0;
    __syncthreads();
    auto add = [&](int s, unsigned value) {
        atomicAdd(&table[s * kBuckets + bucket_of(value)], 1u);
        // What is seen may be old, but it only grows: an old value costs an atomic and never loses one.
        if (*(volatile unsigned*)&largest[s] < value) atomicMax(&largest[s], value);
    };
    long long thread = blockIdx.x * kLargeBlock + threadIdx.x, threads = (long long)gridDim.x * kLargeBlock;
    int fours = ((size_t)service | (size_t)latency) % 16 == 0 ? n / 4 : 0;
    for (long long i = thread; i < fours; i += threads) {
        int4 s = ((const int4*)service)[i];
        uint4 value = ((const uint4*)latency)[i];
        add(s.x, value.x);
        add(s.y, value.y);
        add(s.z, value.z);
        add(s.w, value.w);
    }
    for (long long i = 4LL * fours + thread; i < n; i += threads) add(service[i], latency[i]);
    __syncthreads();
    for (int i = threadIdx.x; i < counters; i += kLargeBlock)
        if (table[i] > 0) atomicAdd(&counts[i], table[i]);
    for (int s = threadIdx.x; s < services; s += kLargeBlock)
        if (largest[s] > 0) atomicMax(&slowest[s], largest[s]);
}

extern "C" void latency_buckets(int n, int services, const int* service, const unsigned* latency, unsigned* counts,
                                unsigned* slowest) {
    cudaMemsetAsync(counts, 0, (size_t)services * kBuckets * sizeof(unsigned));
    cudaMemsetAsync(slowest, 0, services * sizeof(unsigned));
    size_t bytes = (size_t)services * (kBuckets + 1) * sizeof(unsigned);
    if (bytes > kMostShared) {
        count<<<(n - 1) / kThreads + 1, kThreads>>>(n, service, latency, counts, slowest);
        return;
    }
    int needed = (n - 1) / kLargeBlock + 1, blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    cudaFuncSetAttribute(count_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    count_shared<<<blocks, kLargeBlock, bytes>>>(n, services, service, latency, counts, slowest);
}
