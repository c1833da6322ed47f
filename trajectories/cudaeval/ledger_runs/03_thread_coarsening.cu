// Ledger: a thread goes through eight entries of its own before and after the block's scan; a sixteenth of the barriers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBlock = 256, kEach = 8;

// What a stretch of entries does to an account: whether it begins one, its sum, and the lowest balance on the way (0 counts).
struct Stretch {
    long long sum, least;
    int begins;
};

__device__ Stretch after(Stretch a, Stretch b) {
    if (b.begins) return {b.sum, b.least, 1};
    return {a.sum + b.sum, min(a.least, a.sum + b.least), a.begins};
}

// The scan over a block; `all` is known to the last thread.
__device__ Stretch scanned(Stretch value, Stretch* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int apart = 1; apart < kBlock; apart *= 2) {
        if (threadIdx.x >= apart) value = after(shared[threadIdx.x - apart], value);
        __syncthreads();
        shared[threadIdx.x] = value;
        __syncthreads();
    }
    return value;
}

__device__ Stretch entry_of(int i, int entries, const uint8_t* first, const int64_t* amount) {
    if (i >= entries) return {0, 0, 0};
    const long long cents = amount[i];
    return {cents, min(cents, 0ll), i == 0 || first[i]};
}

__device__ Stretch stretch_of(int from, int entries, const uint8_t* first, const int64_t* amount) {
    Stretch own = {0, 0, 0};
    for (int k = 0; k < kEach; ++k) own = after(own, entry_of(from + k, entries, first, amount));
    return own;
}

__global__ void totals(int entries, const uint8_t* first, const int64_t* amount, Stretch* total) {
    __shared__ Stretch shared[kBlock];
    const Stretch all = scanned(stretch_of((blockIdx.x * kBlock + threadIdx.x) * kEach, entries, first, amount), shared);
    if (threadIdx.x == kBlock - 1) total[blockIdx.x] = all;
}

// Turns totals into what comes before each block; one block, in rounds.
__global__ void before(int blocks, Stretch* total) {
    __shared__ Stretch shared[kBlock];
    Stretch carried = {0, 0, 0};
    for (int from = 0; from < blocks; from += kBlock) {
        const int i = from + threadIdx.x;
        const Stretch whole = after(carried, scanned(i < blocks ? total[i] : Stretch{0, 0, 0}, shared));
        const Stretch exclusive = threadIdx.x ? after(carried, shared[threadIdx.x - 1]) : carried;
        if (i < blocks) total[i] = exclusive;
        __syncthreads();
        shared[threadIdx.x] = whole;
        __syncthreads();
        carried = shared[kBlock - 1];
        __syncthreads();
    }
}

__global__ void book(int entries, const uint8_t* first, const int64_t* amount, const Stretch* total, int64_t* balance, int64_t* worst,
                     unsigned long long* overdrawn) {
    __shared__ Stretch shared[kBlock];
    __shared__ int below;
    if (threadIdx.x == 0) below = 0;
    const int from = (blockIdx.x * kBlock + threadIdx.x) * kEach;
    scanned(stretch_of(from, entries, first, amount), shared);
    Stretch here = threadIdx.x ? after(total[blockIdx.x], shared[threadIdx.x - 1]) : total[blockIdx.x];
    int mine = 0;
    for (int i = from; i < min(from + kEach, entries); ++i) {
        here = after(here, entry_of(i, entries, first, amount));
        balance[i] = here.sum;
        worst[i] = here.least;
        mine += here.sum < 0;
    }
    if (mine) atomicAdd(&below, mine);
    __syncthreads();
    if (threadIdx.x == 0 && below) atomicAdd(overdrawn, (unsigned long long)below);
}

extern "C" void ledger_runs(int entries, const uint8_t* first, const int64_t* amount, int64_t* balance, int64_t* worst, int64_t* overdrawn) {
    const int blocks = (entries + kBlock * kEach - 1) / (kBlock * kEach);
    Stretch* total = nullptr;
    cudaMallocAsync(&total, sizeof(Stretch) * blocks, 0);
    cudaMemsetAsync(overdrawn, 0, sizeof(int64_t));
    totals<<<blocks, kBlock>>>(entries, first, amount, total);
    before<<<1, kBlock>>>(blocks, total);
    book<<<blocks, kBlock>>>(entries, first, amount, total, balance, worst, reinterpret_cast<unsigned long long*>(overdrawn));
    cudaFreeAsync(total, 0);
}
