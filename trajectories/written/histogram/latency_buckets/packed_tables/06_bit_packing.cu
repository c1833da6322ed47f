// Latency buckets: each block counts in a table of 16-bit counters in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBuckets = 124;
constexpr int kLargeBlock = 512;
constexpr int kMaxBlocks = 528;
constexpr int kRound = 30;  // groups of four requests for each thread before the 16-bit counters are emptied
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

// Adds the packed counters of a block to the global ones and clears them; begins and ends with a barrier.
__device__ void empty(unsigned* table, int words, unsigned* counts) {
    __syncthreads();
    for (int i = threadIdx.x; i < words; i += kLargeBlock) {
        unsigned both = table[i];
        table[i] = 0;
        if (both & 0xffffu) atomicAdd(&counts[2 * i], both & 0xffffu);
        if (both >> 16) atomicAdd(&counts[2 * i + 1], both >> 16);
    }
    __syncthreads();
}

// The table holds the counters of all services, two in a word, then the maxima.
__global__ void count_shared(int n, int services, const int* service, const unsigned* latency, unsigned* counts,
                             unsigned* slowest) {
    extern __shared__ unsigned table[];
    int words = services * (kBuckets / 2);
    unsigned* largest = table + words;
    for (int i = threadIdx.x; i < words + services; i += kLargeBlock) table[i] = 0;
    __syncthreads();
    auto add = [&](int s, unsigned value) {
        int bucket = bucket_of(value);
        atomicAdd(&table[s * (kBuckets / 2) + bucket / 2], bucket % 2 == 0 ? 1u : 1u << 16);
        // What is seen may be old, but it only grows: an old value costs an atomic and never loses one.
        if (*(volatile unsigned*)&largest[s] < value) atomicMax(&largest[s], value);
    };
    long long thread = blockIdx.x * kLargeBlock + threadIdx.x, threads = (long long)gridDim.x * kLargeBlock;
    int fours = ((size_t)service | (size_t)latency) % 16 == 0 ? n / 4 : 0;
    // 4 * kRound * kLargeBlock = 61 440 requests at most between two emptyings, below 65 536.
    for (long long first = 0; first < fours; first += kRound * threads) {
        for (int k = 0; k < kRound; ++k) {
            long long i = first + k * threads + thread;
            if (i >= fours) break;
            int4 s = ((const int4*)service)[i];
            uint4 value = ((const uint4*)latency)[i];
            add(s.x, value.x);
            add(s.y, value.y);
            add(s.z, value.z);
            add(s.w, value.w);
        }
        empty(table, words, counts);
    }
    for (long long first = 4LL * fours; first < n; first += 4 * kRound * threads) {
        for (int k = 0; k < 4 * kRound; ++k) {
            long long i = first + k * threads + thread;
            if (i < n) add(service[i], latency[i]);
        }
        empty(table, words, counts);
    }
    __syncthreads();
    for (int s = threadIdx.x; s < services; s += kLargeBlock)
        if (largest[s] > 0) atomicMax(&slowest[s], largest[s]);
}

extern "C" void latency_buckets(int n, int services, const int* service, const unsigned* latency, unsigned* counts,
                                unsigned* slowest) {
    cudaMemsetAsync(counts, 0, (size_t)services * kBuckets * sizeof(unsigned));
    cudaMemsetAsync(slowest, 0, services * sizeof(unsigned));
    size_t bytes = (size_t)services * (kBuckets / 2 + 1) * sizeof(unsigned);
    if (bytes > kMostShared) {
        count<<<(n - 1) / kThreads + 1, kThreads>>>(n, service, latency, counts, slowest);
        return;
    }
    int needed = (n - 1) / kLargeBlock + 1, blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    cudaFuncSetAttribute(count_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    count_shared<<<blocks, kLargeBlock, bytes>>>(n, services, service, latency, counts, slowest);
}
