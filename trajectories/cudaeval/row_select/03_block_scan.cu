#include <cuda_runtime.h>

constexpr int kThreads = 128, kBits = 8, kBins = 1 << kBits;

// Signed order as unsigned order.
__device__ unsigned key_of(int value) { return (unsigned)value ^ 0x80000000u; }

// Which bin holds number `rest`: the first warp scans the counts, eight a lane. Sets `bin`, and `rest` to the place in it.
__device__ void choose(const int* bins, int* rest, int* bin) {
    constexpr int kOwn = kBins / 32;
    int lane = threadIdx.x, sum = 0, wanted = *rest;
    for (int j = 0; j < kOwn; ++j) sum += bins[lane * kOwn + j];
    int upto = sum;
    for (int d = 1; d < 32; d *= 2) {
        int lower = __shfl_up_sync(0xffffffffu, upto, d);
        if (lane >= d) upto += lower;
    }
    int before = upto - sum;
    __syncwarp();
    if (wanted < before || wanted >= upto) return;  // one lane goes on
    int b = lane * kOwn;
    wanted -= before;
    while (wanted >= bins[b]) wanted -= bins[b++];
    *rest = wanted;
    *bin = b;
}

// A block a row: the digits of the answer are found from the top, each from a histogram of the values that agree so far.
__global__ void select_rows(int length, const int* __restrict__ table, const int* __restrict__ wanted, int* __restrict__ found) {
    __shared__ int bins[kBins];
    __shared__ int rest, bin;
    const int* row = table + (long long)blockIdx.x * length;
    if (threadIdx.x == 0) rest = wanted[blockIdx.x];
    unsigned top = 0, agreed = 0;
    for (int shift = 32 - kBits; shift >= 0; shift -= kBits) {
        for (int b = threadIdx.x; b < kBins; b += kThreads) bins[b] = 0;
        __syncthreads();
        for (int k = threadIdx.x; k < length; k += kThreads) {
            unsigned key = key_of(row[k]);
            if ((key & agreed) == top) atomicAdd(bins + (key >> shift & (kBins - 1)), 1);
        }
        __syncthreads();
        if (threadIdx.x < 32) choose(bins, &rest, &bin);
        __syncthreads();
        top |= (unsigned)bin << shift;
        agreed |= (unsigned)(kBins - 1) << shift;
    }
    if (threadIdx.x == 0) found[blockIdx.x] = (int)(top ^ 0x80000000u);
}

extern "C" void row_select(int rows, int length, const int* table, const int* wanted, int* found) {
    if (rows > 0) select_rows<<<rows, kThreads>>>(length, table, wanted, found);
}
