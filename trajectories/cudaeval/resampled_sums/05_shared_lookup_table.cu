// Resampling: a block keeps the values in shared memory, where reads at places without order cost a few cycles and not a line each.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

__device__ u64 hashed(u64 z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// own is the sum of the values themselves; ends will have the least and the greatest sum of a draw
__global__ void whole(int n, const int* value, long long* own, long long* ends) {
    long long sum = 0;
    for (int k = threadIdx.x; k < n; k += 32) sum += value[k];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x) return;
    *own = sum;
    ends[0] = 0x7fffffffffffffffll;
    ends[1] = -0x7fffffffffffffffll;
}

__global__ void finish(int draws, const int64_t* __restrict__ sum, const long long* __restrict__ own, int* below, long long* ends) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x;
    const long long each = sum[min(d, draws - 1)];
    long long low = each, high = each;
    for (int apart = 16; apart > 0; apart /= 2) {
        low = min(low, __shfl_xor_sync(0xffffffffu, low, apart));
        high = max(high, __shfl_xor_sync(0xffffffffu, high, apart));
    }
    __shared__ long long low_of[8], high_of[8];
    if (threadIdx.x % 32 == 0) low_of[threadIdx.x / 32] = low, high_of[threadIdx.x / 32] = high;
    const int count = __syncthreads_count(d < draws && each < *own);
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) low = min(low, low_of[w]), high = max(high, high_of[w]);
    if (count) atomicAdd(below, count);
    atomicMin(&ends[0], low);
    atomicMax(&ends[1], high);
}

__global__ void settle(const long long* ends, int64_t* spread) { *spread = ends[1] - ends[0]; }

constexpr int kMost = 8192;  // values that a block takes into shared memory

__global__ void resample(int draws, int n, u64 seed, u64 reciprocal, const int* __restrict__ value, int64_t* sum) {
    extern __shared__ int near[];
    const bool kept = n <= kMost;
    for (int k = threadIdx.x; kept && k < n; k += blockDim.x) near[k] = value[k];
    __syncthreads();
    const int d = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (d >= draws) return;
    u64 z = ((u64)d * n + lane + seed) * 0x9e3779b97f4a7c15ull;
    long long total = 0;
#pragma unroll 2
    for (int k = lane; k < n; k += 32, z += 32 * 0x9e3779b97f4a7c15ull) {
        const u64 h = hashed(z);
        u64 rest = h - __umul64hi(h, reciprocal) * n;  // the quotient is at most one too small
        if (rest >= (u64)n) rest -= n;
        total += kept ? near[rest] : value[rest];
    }
    for (int apart = 16; apart > 0; apart /= 2) total += __shfl_xor_sync(0xffffffffu, total, apart);
    if (lane == 0) sum[d] = total;
}

extern "C" void resampled_sums(int draws, int n, uint64_t seed, const int32_t* value, int64_t* sum, int32_t* below, int64_t* spread) {
    long long* own = nullptr;
    cudaMallocAsync(&own, 3 * sizeof(long long), 0);
    cudaMemsetAsync(below, 0, sizeof(int32_t));
    whole<<<1, 32>>>(n, value, own, own + 1);
    const size_t bytes = n <= kMost ? sizeof(int) * n : 0;
    resample<<<(draws + 7) / 8, 256, bytes>>>(draws, n, seed, 0xffffffffffffffffull / n, value, sum);
    finish<<<(draws + 255) / 256, 256>>>(draws, sum, own, below, own + 1);
    settle<<<1, 1>>>(own + 1, spread);
    cudaFreeAsync(own, 0);
}
