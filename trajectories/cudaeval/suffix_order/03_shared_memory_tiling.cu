// Suffix arrays by doubling: ranks are in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kMost = 1024;

// Whether suffix `j` lies before suffix `i` by twice `length` letters, where `rank` orders them by `length`.
__device__ bool before(int j, int i, int length, int n, const int* rank) {
    if (rank[j] != rank[i]) return rank[j] < rank[i];
    return (j + length < n ? rank[j + length] : -1) < (i + length < n ? rank[i + length] : -1);
}

// A block a text, whose ranks are in shared memory.
__global__ void sort(int n, const uint8_t* letter, int32_t* order) {
    __shared__ int ranks[2][kMost];
    const long long text = (long long)n * blockIdx.x;
    int *rank = ranks[0], *better = ranks[1];
    for (int i = threadIdx.x; i < n; i += kThreads) rank[i] = letter[text + i];
    __syncthreads();
    for (int length = 1; length == 1 || length < n; length *= 2) {
        for (int i = threadIdx.x; i < n; i += kThreads) {
            int lower = 0;
            for (int j = 0; j < n; ++j) lower += before(j, i, length, n, rank);
            better[i] = lower;
        }
        __syncthreads();
        int* done = rank;
        rank = better;
        better = done;
    }
    for (int i = threadIdx.x; i < n; i += kThreads) order[text + rank[i]] = i;
}

extern "C" void suffix_order(int texts, int n, const uint8_t* letter, int32_t* order) {
    sort<<<texts, kThreads>>>(n, letter, order);
}
