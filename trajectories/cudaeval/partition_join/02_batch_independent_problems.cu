// Hash joins: one partition a block, whose threads fill and search the table together.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kSlots = 2048, kEmpty = -1;

__device__ unsigned first_slot(int key) { return (unsigned)key * 2654435769u >> 21; }

// Of customers with the same key the first one stays.
__device__ void add(int c, int wanted, int* key, int* number) {
    unsigned at = first_slot(wanted);
    for (int there = atomicCAS(key + at, kEmpty, wanted); there != kEmpty && there != wanted;) {
        at = (at + 1) % kSlots;
        there = atomicCAS(key + at, kEmpty, wanted);
    }
    atomicMin(number + at, c);
}

// The number of the customer with this key, or `kEmpty`.
__device__ int look_up(int wanted, const int* key, const int* number) {
    unsigned at = first_slot(wanted);
    while (key[at] != kEmpty && key[at] != wanted) at = (at + 1) % kSlots;
    return key[at] == kEmpty ? kEmpty : number[at];
}

// A block a partition; its first thread lists what the others found.
__global__ void join(int n, int m, const int* customer, const int* limit, const int* order, int* key, int* number, int* found,
                     int* credit, int* count) {
    customer += (long long)blockIdx.x * n, limit += (long long)blockIdx.x * n, order += (long long)blockIdx.x * m;
    found += (long long)blockIdx.x * m, credit += (long long)blockIdx.x * m;
    key += (long long)blockIdx.x * kSlots, number += (long long)blockIdx.x * kSlots;
    for (int at = threadIdx.x; at < kSlots; at += kThreads) key[at] = kEmpty, number[at] = n;
    __syncthreads();
    for (int c = threadIdx.x; c < n; c += kThreads) add(c, customer[c], key, number);
    __syncthreads();
    for (int o = threadIdx.x; o < m; o += kThreads) credit[o] = look_up(order[o], key, number);
    __syncthreads();
    if (threadIdx.x > 0) return;
    int hits = 0;
    for (int o = 0; o < m; ++o) {
        const int c = credit[o];
        if (c == kEmpty) continue;
        found[hits] = o;
        credit[hits++] = limit[c];
    }
    count[blockIdx.x] = hits;
    for (; hits < m; ++hits) found[hits] = credit[hits] = 0;
}

extern "C" void partition_join(int parts, int n, int m, const int32_t* customer, const int32_t* limit, const int32_t* order,
                               int32_t* found, int32_t* credit, int32_t* count) {
    int *key = nullptr, *number = nullptr;
    cudaMalloc(&key, sizeof(int) * kSlots * parts);
    cudaMalloc(&number, sizeof(int) * kSlots * parts);
    join<<<parts, kThreads>>>(n, m, customer, limit, order, key, number, found, credit, count);
    cudaFree(key);
    cudaFree(number);
}
