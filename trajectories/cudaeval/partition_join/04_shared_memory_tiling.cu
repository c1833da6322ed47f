// Hash joins: the table is in shared memory.
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

// The sum over this thread and those before it in the block; `all` gets that over all threads.
__device__ int running_sum(int value, int* all) {
    __shared__ int sum[kThreads];
    sum[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? sum[threadIdx.x - reach] : 0;
        __syncthreads();
        sum[threadIdx.x] = value += lower;
        __syncthreads();
    }
    *all = sum[kThreads - 1];
    __syncthreads();
    return value;
}

// A block a partition, 256 orders at a time. The table is in shared memory.
__global__ void join(int n, int m, const int* customer, const int* limit, const int* order, int* found, int* credit, int* count) {
    __shared__ int key[kSlots], number[kSlots];
    customer += (long long)blockIdx.x * n, limit += (long long)blockIdx.x * n, order += (long long)blockIdx.x * m;
    found += (long long)blockIdx.x * m, credit += (long long)blockIdx.x * m;
    for (int at = threadIdx.x; at < kSlots; at += kThreads) key[at] = kEmpty, number[at] = n;
    __syncthreads();
    for (int c = threadIdx.x; c < n; c += kThreads) add(c, customer[c], key, number);
    __syncthreads();
    int hits = 0, more;
    for (int first = 0; first < m; first += kThreads, hits += more) {
        const int o = first + threadIdx.x, c = o < m ? look_up(order[o], key, number) : kEmpty;
        const int to = hits + running_sum(c != kEmpty, &more) - 1;
        if (c == kEmpty) continue;
        found[to] = o;
        credit[to] = limit[c];
    }
    for (int k = hits + threadIdx.x; k < m; k += kThreads) found[k] = credit[k] = 0;
    if (threadIdx.x == 0) count[blockIdx.x] = hits;
}

extern "C" void partition_join(int parts, int n, int m, const int32_t* customer, const int32_t* limit, const int32_t* order,
                               int32_t* found, int32_t* credit, int32_t* count) {
    join<<<parts, kThreads>>>(n, m, customer, limit, order, found, credit, count);
}
