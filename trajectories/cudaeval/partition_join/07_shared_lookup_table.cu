// Hash joins: limits are looked up in shared memory, too.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kMost = 1024;
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
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int lower = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += lower;
    }
    if (lane == 31) part[warp] = value;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w == warp) value += sum;
        sum += part[w];
    }
    *all = sum;
    __syncthreads();
    return value;
}

// Four neighbouring orders, loaded at once where rows allow it; those behind the last have a key that nobody has.
template <bool kWide>
__device__ int4 load(int o, int m, const int* order) {
    if constexpr (kWide) {
        return o < m ? *(const int4*)(order + o) : int4{-2, -2, -2, -2};
    } else {
        const int none = -2;
        return {o < m ? order[o] : none, o + 1 < m ? order[o + 1] : none, o + 2 < m ? order[o + 2] : none, o + 3 < m ? order[o + 3] : none};
    }
}

// A block a partition, 1024 orders at a time. The table and the limits are in shared memory.
template <bool kWide>
__global__ void join(int n, int m, const int* customer, const int* limit, const int* order, int* found, int* credit, int* count) {
    __shared__ int key[kSlots], number[kSlots], limits[kMost];
    customer += (long long)blockIdx.x * n, limit += (long long)blockIdx.x * n, order += (long long)blockIdx.x * m;
    found += (long long)blockIdx.x * m, credit += (long long)blockIdx.x * m;
    for (int at = threadIdx.x; at < kSlots; at += kThreads) key[at] = kEmpty, number[at] = n;
    __syncthreads();
    for (int c = threadIdx.x; c < n; c += kThreads) {
        add(c, customer[c], key, number);
        limits[c] = limit[c];
    }
    __syncthreads();
    int hits = 0, more;
    for (int first = 0; first < m; first += 4 * kThreads, hits += more) {
        const int o = first + 4 * threadIdx.x;
        const int4 four = load<kWide>(o, m, order);
        const int wanted[4] = {four.x, four.y, four.z, four.w};
        int c[4], own = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) own += (c[k] = look_up(wanted[k], key, number)) != kEmpty;
        int to = hits + running_sum(own, &more) - own;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (c[k] == kEmpty) continue;
            found[to] = o + k;
            credit[to++] = limits[c[k]];
        }
    }
    for (int k = hits + threadIdx.x; k < m; k += kThreads) found[k] = credit[k] = 0;
    if (threadIdx.x == 0) count[blockIdx.x] = hits;
}

extern "C" void partition_join(int parts, int n, int m, const int32_t* customer, const int32_t* limit, const int32_t* order,
                               int32_t* found, int32_t* credit, int32_t* count) {
    const bool wide = m % 4 == 0 && (uintptr_t)order % 16 == 0;
    (wide ? join<true> : join<false>)<<<parts, kThreads>>>(n, m, customer, limit, order, found, credit, count);
}
