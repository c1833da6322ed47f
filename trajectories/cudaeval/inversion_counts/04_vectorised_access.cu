// Inversions: four values are read from shared memory at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kMost = 2048;

// Adds up the threads' counts; thread 0 gets the sum.
__device__ int sum_of_block(int mine) {
    __shared__ int part[kThreads / 32];
    mine = __reduce_add_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < kThreads / 32; ++w) mine += part[w];
    return mine;
}

__global__ void count(int length, const int32_t* __restrict__ rank, int32_t* __restrict__ inversions) {
    __shared__ int4 four[kMost / 4];
    int32_t* value = (int32_t*)four;
    rank += (long long)blockIdx.x * length;
    const int quads = (length + 3) / 4;
    for (int k = threadIdx.x; k < 4 * quads; k += kThreads) value[k] = k < length ? rank[k] : INT32_MAX;  // not below any
    __syncthreads();
    int crossed = 0;
    for (int k = threadIdx.x; k < length; k += kThreads) {
        const int mine = value[k];
        for (int m = k + 1; m % 4 != 0; ++m) crossed += mine > value[m];
        for (int q = k / 4 + 1; q < quads; ++q) {
            const int4 other = four[q];
            crossed += (mine > other.x) + (mine > other.y) + (mine > other.z) + (mine > other.w);
        }
    }
    crossed = sum_of_block(crossed);
    if (threadIdx.x == 0) inversions[blockIdx.x] = crossed;
}

extern "C" void inversion_counts(int rows, int length, const int32_t* rank, int32_t* inversions) {
    count<<<rows, kThreads>>>(length, rank, inversions);
}
