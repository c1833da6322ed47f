// Histogram: every lane has counts of its own bank, so that no atomic operation in shared memory waits for another lane's.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 1024, kBins = 256, kChunk = 4 * kThreads, kMostBlocks = 264;

// Counts of a block: 32 copies of each bin, a lane the copy in its own bank. Lanes of a warp then never meet, neither at an address nor
// in a bank, however the values are spread.
template <bool kAligned>
__device__ void count_block(int n, const int* __restrict__ x, int* counts) {
    for (int c = threadIdx.x; c < kBins * 32; c += kThreads) counts[c] = 0;
    __syncthreads();
    int* own = counts + threadIdx.x % 32;
    for (long long begin = (long long)blockIdx.x * kChunk; begin < n; begin += (long long)gridDim.x * kChunk) {
        const int size = min((long long)kChunk, n - begin);
        const int* chunk = x + begin;
        if (kAligned && size == kChunk) {
            const int4 four = ((const int4*)chunk)[threadIdx.x];
            atomicAdd(own + 32 * four.x, 1);
            atomicAdd(own + 32 * four.y, 1);
            atomicAdd(own + 32 * four.z, 1);
            atomicAdd(own + 32 * four.w, 1);
        } else {
            for (int i = threadIdx.x; i < size; i += kThreads) atomicAdd(own + 32 * chunk[i], 1);
        }
    }
    __syncthreads();
}

// Adds the copies of each bin up, a warp a bin at a time, and adds the sum to `bins`.
__device__ void add_counts(const int* counts, int* bins) {
    for (int b = threadIdx.x / 32; b < kBins; b += kThreads / 32) {
        int sum = counts[b * 32 + threadIdx.x % 32];
        for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_down_sync(0xffffffffu, sum, reach);
        if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(bins + b, sum);
    }
}

template <bool kAligned>
__global__ void __launch_bounds__(kThreads) count(int n, const int* __restrict__ x, int* bins) {
    __shared__ int counts[kBins * 32];
    count_block<kAligned>(n, x, counts);
    add_counts(counts, bins);
}

extern "C" void histogram256(int n, const int* x, int* bins) {
    cudaMemsetAsync(bins, 0, kBins * sizeof(int));
    const bool aligned = (uintptr_t)x % 16 == 0;
    const int blocks = min((n - 1) / kChunk + 1, kMostBlocks);
    if (n > 0) (aligned ? count<true> : count<false>)<<<blocks, kThreads>>>(n, x, bins);
}
