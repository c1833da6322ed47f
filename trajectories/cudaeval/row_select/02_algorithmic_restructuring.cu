#include <cuda_runtime.h>

constexpr int kThreads = 128, kBits = 8, kBins = 1 << kBits;

// Signed order as unsigned order.
__device__ unsigned key_of(int value) { return (unsigned)value ^ 0x80000000u; }

// A block a row: the digits of the answer are found from the top, each from a histogram of the values that agree so far.
__global__ void select_rows(int length, const int* table, const int* wanted, int* found) {
    __shared__ int bins[kBins];
    __shared__ unsigned prefix;
    __shared__ int rest;
    const int* row = table + (long long)blockIdx.x * length;
    if (threadIdx.x == 0) {
        prefix = 0;
        rest = wanted[blockIdx.x];
    }
    for (int shift = 32 - kBits; shift >= 0; shift -= kBits) {
        for (int b = threadIdx.x; b < kBins; b += kThreads) bins[b] = 0;
        __syncthreads();
        unsigned agreed = shift == 32 - kBits ? 0 : 0xffffffffu << (shift + kBits), top = prefix;
        for (int k = threadIdx.x; k < length; k += kThreads) {
            unsigned key = key_of(row[k]);
            if ((key & agreed) == top) atomicAdd(bins + (key >> shift & (kBins - 1)), 1);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            int b = 0;
            while (rest >= bins[b]) rest -= bins[b++];
            prefix = top | (unsigned)b << shift;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) found[blockIdx.x] = (int)(prefix ^ 0x80000000u);
}

extern "C" void row_select(int rows, int length, const int* table, const int* wanted, int* found) {
    if (rows > 0) select_rows<<<rows, kThreads>>>(length, table, wanted, found);
}
