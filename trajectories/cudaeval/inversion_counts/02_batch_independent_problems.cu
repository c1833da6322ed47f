// Inversions: one row a block; each value is compared with all behind it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// Adds up the threads' counts; thread 0 gets the sum.
__device__ int sum_of_block(int mine) {
    __shared__ int part[kThreads / 32];
    mine = __reduce_add_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < kThreads / 32; ++w) mine += part[w];
    return mine;
}

__global__ void count(int length, const int32_t* rank, int32_t* inversions) {
    rank += (long long)blockIdx.x * length;
    int crossed = 0;
    for (int k = threadIdx.x; k < length; k += kThreads)
        for (int m = k + 1; m < length; ++m) crossed += rank[k] > rank[m];
    crossed = sum_of_block(crossed);
    if (threadIdx.x == 0) inversions[blockIdx.x] = crossed;
}

extern "C" void inversion_counts(int rows, int length, const int32_t* rank, int32_t* inversions) {
    count<<<rows, kThreads>>>(length, rank, inversions);
}
