// Resampling: a warp takes a draw, so that few draws fill the machine too.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

__device__ u64 hashed(u64 z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// own is the sum of the values themselves; ends has the least and the greatest sum so far, as keys in unsigned order
__global__ void whole(int n, const int* value, long long* own) {
    long long sum = 0;
    for (int k = threadIdx.x; k < n; k += 32) sum += value[k];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x == 0) *own = sum;
}

__global__ void finish(int draws, const int64_t* sum, const long long* own, int* below, int64_t* spread) {
    __shared__ long long low_of[8], high_of[8];
    __shared__ int count_of[8];
    long long low = sum[0], high = sum[0];
    int count = 0;
    for (int d = threadIdx.x; d < draws; d += 256) {
        const long long each = sum[d];
        low = min(low, each), high = max(high, each), count += each < *own;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        low = min(low, __shfl_xor_sync(0xffffffffu, low, apart));
        high = max(high, __shfl_xor_sync(0xffffffffu, high, apart));
        count += __shfl_xor_sync(0xffffffffu, count, apart);
    }
    if (threadIdx.x % 32 == 0) low_of[threadIdx.x / 32] = low, high_of[threadIdx.x / 32] = high, count_of[threadIdx.x / 32] = count;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) low = min(low, low_of[w]), high = max(high, high_of[w]), count += count_of[w];
    *below = count;
    *spread = high - low;
}

__global__ void resample(int draws, int n, u64 seed, const int* __restrict__ value, int64_t* sum) {
    const int d = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (d >= draws) return;
    long long total = 0;
    for (int k = lane; k < n; k += 32) total += value[hashed(((u64)d * n + k + seed) * 0x9e3779b97f4a7c15ull) % n];
    for (int apart = 16; apart > 0; apart /= 2) total += __shfl_xor_sync(0xffffffffu, total, apart);
    if (lane == 0) sum[d] = total;
}

extern "C" void resampled_sums(int draws, int n, uint64_t seed, const int32_t* value, int64_t* sum, int32_t* below, int64_t* spread) {
    long long* own = nullptr;
    cudaMallocAsync(&own, sizeof(long long), 0);
    whole<<<1, 32>>>(n, value, own);
    resample<<<(draws + 3) / 4, 128>>>(draws, n, seed, value, sum);
    finish<<<1, 256>>>(draws, sum, own, below, spread);
    cudaFreeAsync(own, 0);
}
