// Suffix arrays by doubling: four keys are loaded at once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kMost = 1024;

// Rank of suffix `i` and, lower, one more than that of the suffix `length` letters on; neither takes more than eleven bits.
__device__ unsigned key_of(int i, int length, int n, const int* rank) {
    return (unsigned)rank[i] << 11 | (unsigned)(i + length < n ? rank[i + length] + 1 : 0);
}

// Ranks suffixes by their keys. There is room for three keys behind the last, which nothing lies above.
__device__ void rank_all(int n, const unsigned* key, int* rank) {
    for (int i = threadIdx.x; i < n; i += kThreads) {
        const unsigned mine = key[i];
        int lower = 0;
        for (int j = 0; j < n; j += 4) {
            const uint4 four = *(const uint4*)(key + j);
            lower += (four.x < mine) + (four.y < mine) + (four.z < mine) + (four.w < mine);
        }
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

// A block a text. Its first keys are four letters each; it ends as soon as all ranks differ.
__global__ void sort(int n, const uint8_t* letter, int32_t* order) {
    __shared__ int rank[kMost], place[kMost];
    __shared__ __align__(16) unsigned key[kMost];
    const long long text = (long long)n * blockIdx.x;
    for (int i = threadIdx.x; i < n; i += kThreads) rank[i] = letter[text + i];
    if (threadIdx.x < 4 && n + threadIdx.x < kMost) key[n + threadIdx.x] = ~0u;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) {
        unsigned four = 0;
        for (int k = 0; k < 4; ++k) four = four << 8 | (i + k < n ? rank[i + k] : 0);
        key[i] = four;
    }
    __syncthreads();
    rank_all(n, key, rank);
    for (int length = 4; !put_in_place(n, rank, place); length *= 2) {
        for (int i = threadIdx.x; i < n; i += kThreads) key[i] = key_of(i, length, n, rank);
        __syncthreads();
        rank_all(n, key, rank);
    }
    for (int i = threadIdx.x; i < n; i += kThreads) order[text + i] = place[i];
}

extern "C" void suffix_order(int texts, int n, const uint8_t* letter, int32_t* order) {
    sort<<<texts, kThreads>>>(n, letter, order);
}
