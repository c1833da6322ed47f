// Suffix arrays by doubling: done when all ranks differ, which is long before all letters were looked at.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kMost = 1024;

// Rank of suffix `i` and, lower, one more than that of the suffix `length` letters on; neither takes more than eleven bits.
__device__ unsigned key_of(int i, int length, int n, const int* rank) {
    return (unsigned)rank[i] << 11 | (unsigned)(i + length < n ? rank[i + length] + 1 : 0);
}

// Ranks suffixes by their keys.
__device__ void rank_all(int n, const unsigned* key, int* rank) {
    for (int i = threadIdx.x; i < n; i += kThreads) {
        const unsigned mine = key[i];
        int lower = 0;
        for (int j = 0; j < n; ++j) lower += key[j] < mine;
        rank[i] = lower;
    }
    __syncthreads();
}

// Puts every suffix in the place of its rank; tells whether no two of them met there.
__device__ bool put_in_place(int n, const int* rank, int* place) {
    bool met = false;
    for (int i = threadIdx.x; i < n; i += kThreads) atomicExch(place + rank[i], i);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) met |= place[rank[i]] != i;
    return !__syncthreads_or(met);
}

// A block a text. It ends as soon as all ranks differ.
__global__ void sort(int n, const uint8_t* letter, int32_t* order) {
    __shared__ int rank[kMost], place[kMost];
    __shared__ unsigned key[kMost];
    const long long text = (long long)n * blockIdx.x;
    for (int i = threadIdx.x; i < n; i += kThreads) rank[i] = letter[text + i];
    __syncthreads();
    bool sorted = false;
    for (int length = 1; !sorted; length *= 2) {
        for (int i = threadIdx.x; i < n; i += kThreads) key[i] = key_of(i, length, n, rank);
        __syncthreads();
        rank_all(n, key, rank);
        sorted = put_in_place(n, rank, place);
    }
    for (int i = threadIdx.x; i < n; i += kThreads) order[text + i] = place[i];
}

extern "C" void suffix_order(int texts, int n, const uint8_t* letter, int32_t* order) {
    sort<<<texts, kThreads>>>(n, letter, order);
}
