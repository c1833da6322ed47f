// Suffix arrays by doubling: one text a thread; the rank of a suffix is how many lie before it.
#include <cuda_runtime.h>

#include <cstdint>

// Whether suffix `j` lies before suffix `i` by twice `length` letters, where `rank` orders them by `length`.
__device__ bool before(int j, int i, int length, int n, const int* rank) {
    if (rank[j] != rank[i]) return rank[j] < rank[i];
    return (j + length < n ? rank[j + length] : -1) < (i + length < n ? rank[i + length] : -1);
}

__global__ void sort(int texts, int n, const uint8_t* letter, int* scratch, int32_t* order) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= texts) return;
    int *rank = scratch + 2ll * n * t, *better = rank + n;
    for (int i = 0; i < n; ++i) rank[i] = letter[(long long)n * t + i];
    for (int length = 1; length == 1 || length < n; length *= 2) {
        for (int i = 0; i < n; ++i) {
            int lower = 0;
            for (int j = 0; j < n; ++j) lower += before(j, i, length, n, rank);
            better[i] = lower;
        }
        int* done = rank;
        rank = better;
        better = done;
    }
    for (int i = 0; i < n; ++i) order[(long long)n * t + rank[i]] = i;
}

extern "C" void suffix_order(int texts, int n, const uint8_t* letter, int32_t* order) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, sizeof(int) * 2 * n * texts);
    sort<<<(texts - 1) / 32 + 1, 32>>>(texts, n, letter, scratch, order);
    cudaFree(scratch);
}
