// Totals over subsets: inside a tile three bits at a time are added in registers, so that four visits to shared memory do for twelve bits.
#include <cuda_runtime.h>

constexpr int kBits = 12, kTile = 1 << kBits, kThreads = 512, kHigh = 7, kWide = 32;

// Three bits of eight numbers in registers, `stride` apart in shared memory.
__device__ void add_three_bits(unsigned* at, int stride) {
    unsigned value[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) value[k] = at[k * stride];
#pragma unroll
    for (int step = 1; step < 8; step *= 2)
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (k & step) value[k] += value[k - step];
#pragma unroll
    for (int k = 1; k < 8; ++k) at[k * stride] = value[k];
}

// The lowest twelve bits, three by three. A gap after each eight numbers keeps strides apart in the banks.
__global__ void __launch_bounds__(kThreads) add_low_bits(long long n, unsigned* total) {
    __shared__ unsigned tile[kTile + kTile / 8];
    long long first = (long long)blockIdx.x * kTile;
    unsigned value[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {  // bits 9 to 11 while the numbers are on their way
        long long s = first + threadIdx.x + k * kThreads;
        value[k] = s < n ? total[s] : 0u;
    }
#pragma unroll
    for (int step = 1; step < 8; step *= 2)
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (k & step) value[k] += value[k - step];
#pragma unroll
    for (int k = 0; k < 8; ++k) tile[(threadIdx.x + k * kThreads) / 8 * 9 + threadIdx.x % 8] = value[k];
    __syncthreads();
    add_three_bits(tile + threadIdx.x * 9, 1);
    __syncthreads();
    add_three_bits(tile + threadIdx.x / 8 * 72 + threadIdx.x % 8, 9);
    __syncthreads();
    add_three_bits(tile + threadIdx.x / 64 * 576 + threadIdx.x % 64 / 8 * 9 + threadIdx.x % 8, 72);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        long long s = first + threadIdx.x + k * kThreads;
        if (s < n) total[s] = tile[(threadIdx.x + k * kThreads) / 8 * 9 + threadIdx.x % 8];
    }
}

// Seven bits from `shift` on: a block has 128 rows, 2^shift numbers apart, of 32 neighbours. Three bits in registers while the rows come,
// one and three more in shared memory.
__global__ void __launch_bounds__(kThreads) add_high_bits(long long n, int shift, unsigned* total) {
    __shared__ unsigned tile[1 << kHigh][kWide];
    long long i = (long long)blockIdx.x * kWide, bit = 1LL << shift;
    long long first = ((i >> shift << (shift + kHigh)) | (i & (bit - 1))) + threadIdx.x % kWide;
    int column = threadIdx.x % kWide, warp = threadIdx.x / kWide;
    unsigned value[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) value[k] = first + (warp + 16 * k) * bit < n ? total[first + (warp + 16 * k) * bit] : 0u;
#pragma unroll
    for (int step = 1; step < 8; step *= 2)
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (k & step) value[k] += value[k - step];
#pragma unroll
    for (int k = 0; k < 8; ++k) tile[warp + 16 * k][column] = value[k];
    __syncthreads();
    add_three_bits(&tile[8 * warp][column], kWide);
    __syncthreads();
    for (int k = warp; k < 64; k += 16) tile[k / 8 * 16 + 8 + k % 8][column] += tile[k / 8 * 16 + k % 8][column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (first + (warp + 16 * k) * bit < n) total[first + (warp + 16 * k) * bit] = tile[warp + 16 * k][column];
}

extern "C" void subset_totals(int n, unsigned* total) {
    if (n <= 1) return;
    add_low_bits<<<(n - 1) / kTile + 1, kThreads>>>(n, total);
    for (int shift = kBits; 1LL << shift < n; shift += kHigh) {
        long long columns = ((((long long)n - 1) >> shift >> kHigh) + 1) << shift;
        add_high_bits<<<(unsigned)(columns / kWide), kThreads>>>(n, shift, total);
    }
}
