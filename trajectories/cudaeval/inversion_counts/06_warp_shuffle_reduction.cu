// Inversions: a warp sorts its first 32 values, each lane being shown the others'; merging begins with runs of 32.
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
    int crossed = 0, now = 0;
    const int lane = threadIdx.x % 32;
    for (int k = threadIdx.x; k < padded; k += kThreads) {
        const int mine = k < length ? rank[k] : INT32_MAX;  // not below any
        int smaller = 0, before = 0;                        // behind this lane, and lanes that belong before it
        for (int other = 0; other < 32; ++other) {
            const int theirs = __shfl_sync(0xffffffffu, mine, other);
            smaller += theirs < mine && other > lane;
            before += theirs < mine || (theirs == mine && other < lane);
        }
        crossed += smaller;
        value[0][k - lane + before] = mine;
    }
    for (int run = 32; run < padded; run *= 2, now ^= 1) {
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
    int padded = 32;
    while (padded < length) padded *= 2;
    count<<<rows, kThreads>>>(length, padded, rank, inversions);
}
