// Totals over subsets: twelve bits, then seven at a time, for each visit to global memory; the bits between are added in shared memory.
#include <cuda_runtime.h>

constexpr int kBits = 12, kTile = 1 << kBits, kThreads = 512;

// The lowest twelve bits: a block has 4096 neighbouring numbers in shared memory.
__global__ void add_low_bits(long long n, unsigned* total) {
    __shared__ unsigned tile[kTile];
    long long first = (long long)blockIdx.x * kTile;
    for (int i = threadIdx.x; i < kTile; i += kThreads) tile[i] = first + i < n ? total[first + i] : 0u;
    for (int shift = 0; shift < kBits; ++shift) {
        __syncthreads();
        for (int i = threadIdx.x; i < kTile / 2; i += kThreads) {
            int s = (i >> shift << (shift + 1)) + (1 << shift) + (i & ((1 << shift) - 1));
            tile[s] += tile[s - (1 << shift)];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kTile; i += kThreads)
        if (first + i < n) total[first + i] = tile[i];
}

constexpr int kHigh = 7, kWide = 32;  // 128 rows of 32 neighbouring numbers

// Seven bits from `shift` on: a block has 128 rows, 2^shift numbers apart, of 32 neighbours.
__global__ void add_high_bits(long long n, int shift, unsigned* total) {
    __shared__ unsigned tile[1 << kHigh][kWide];
    long long i = (long long)blockIdx.x * kWide, bit = 1LL << shift;
    long long first = ((i >> shift << (shift + kHigh)) | (i & (bit - 1))) + threadIdx.x % kWide;
    int column = threadIdx.x % kWide, warp = threadIdx.x / kWide;
    for (int r = warp; r < 1 << kHigh; r += kThreads / kWide) tile[r][column] = first + r * bit < n ? total[first + r * bit] : 0u;
    for (int step = 0; step < kHigh; ++step) {
        __syncthreads();
        for (int k = warp; k < 1 << (kHigh - 1); k += kThreads / kWide) {
            int r = (k >> step << (step + 1)) + (1 << step) + (k & ((1 << step) - 1));
            tile[r][column] += tile[r - (1 << step)][column];
        }
    }
    __syncthreads();
    for (int r = warp; r < 1 << kHigh; r += kThreads / kWide)
        if (first + r * bit < n) total[first + r * bit] = tile[r][column];
}

extern "C" void subset_totals(int n, unsigned* total) {
    if (n <= 1) return;
    add_low_bits<<<(n - 1) / kTile + 1, kThreads>>>(n, total);
    for (int shift = kBits; 1LL << shift < n; shift += kHigh) {
        long long columns = ((((long long)n - 1) >> shift >> kHigh) + 1) << shift;
        add_high_bits<<<(unsigned)(columns / kWide), kThreads>>>(n, shift, total);
    }
}
