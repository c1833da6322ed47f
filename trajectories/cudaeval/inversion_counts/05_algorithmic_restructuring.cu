// Inversions: a block merges runs; each value finds its place in the other run by bisection, and with that the pairs out of order.
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

// How many of the `run` sorted values from `from` on are below `wanted`, or, with `kEqual`, not above it. `run` is a power of two.
template <bool kEqual>
__device__ int below(const int32_t* from, int run, int wanted) {
    int count = 0;
    for (int step = run; step > 0; step /= 2) {
        if (count + step > run) continue;
        const int other = from[count + step - 1];
        if (kEqual ? other <= wanted : other < wanted) count += step;
    }
    return count;
}

__global__ void count(int length, int padded, const int32_t* __restrict__ rank, int32_t* __restrict__ inversions) {
    __shared__ int32_t value[2][kMost];
    rank += (long long)blockIdx.x * length;
    for (int k = threadIdx.x; k < padded; k += kThreads) value[0][k] = k < length ? rank[k] : INT32_MAX;  // not below any
    int crossed = 0, now = 0;
    for (int run = 1; run < padded; run *= 2, now ^= 1) {
        __syncthreads();
        for (int k = threadIdx.x; k < padded; k += kThreads) {
            const int mine = value[now][k], first = k & ~(2 * run - 1), at = k & (run - 1);
            const bool left = (k & run) == 0;
            const int passed = left ? below<false>(value[now] + first + run, run, mine) : below<true>(value[now] + first, run, mine);
            if (left) crossed += passed;
            value[now ^ 1][first + at + passed] = mine;
        }
    }
    crossed = sum_of_block(crossed);
    if (threadIdx.x == 0) inversions[blockIdx.x] = crossed;
}

extern "C" void inversion_counts(int rows, int length, const int32_t* rank, int32_t* inversions) {
    int padded = 1;
    while (padded < length) padded *= 2;
    count<<<rows, kThreads>>>(length, padded, rank, inversions);
}
