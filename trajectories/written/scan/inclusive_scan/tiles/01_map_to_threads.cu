// Prefix sum: slice totals, a one-thread scan of the totals, then each thread scans its own slice.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kBlocks = 64;
constexpr int kSlices = kThreads * kBlocks;

__device__ long long slice_begin(int n, int slice) {
    long long length = (n + kSlices - 1LL) / kSlices;
    return min(slice * length, (long long)n);
}

__global__ void slice_totals(int n, const int* in, int* totals) {
    int slice = blockIdx.x * kThreads + threadIdx.x;
    int sum = 0;
    for (long long i = slice_begin(n, slice); i < slice_begin(n, slice + 1); ++i) sum += in[i];
    totals[slice] = sum;
}

// Totals become offsets: the sum of all slices before each one.
__global__ void offsets_from_totals(int* totals) {
    int sum = 0;
    for (int slice = 0; slice < kSlices; ++slice) {
        int total = totals[slice];
        totals[slice] = sum;
        sum += total;
    }
}

__global__ void scan_slices(int n, const int* in, const int* offsets, int* out) {
    int slice = blockIdx.x * kThreads + threadIdx.x;
    int sum = offsets[slice];
    for (long long i = slice_begin(n, slice); i < slice_begin(n, slice + 1); ++i) {
        sum += in[i];
        out[i] = sum;
    }
}

extern "C" void inclusive_scan(int n, const int* in, int* out) {
    int* totals = nullptr;
    cudaMalloc(&totals, kSlices * sizeof(int));
    slice_totals<<<kBlocks, kThreads>>>(n, in, totals);
    offsets_from_totals<<<1, 1>>>(totals);
    scan_slices<<<kBlocks, kThreads>>>(n, in, totals, out);
    cudaFree(totals);
}
