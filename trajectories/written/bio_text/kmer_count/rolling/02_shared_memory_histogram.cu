// 6-mer counts; each block counts many windows in a shared table and merges once.
#include <cuda_runtime.h>

constexpr int kWindow = 6;
constexpr int kCodes = 4096;  // 4 to the power kWindow
constexpr int kThreads = 256;
constexpr int kMaxBlocks = 512;

__global__ void count_windows(int windows, const unsigned char* bases, unsigned int* counts) {
    __shared__ unsigned int local[kCodes];
    for (int code = threadIdx.x; code < kCodes; code += kThreads) local[code] = 0;
    __syncthreads();

    long long stride = (long long)gridDim.x * kThreads;
    for (long long start = blockIdx.x * kThreads + threadIdx.x; start < windows; start += stride) {
        int code = 0;
        for (int k = 0; k < kWindow; ++k) code = 4 * code + bases[start + k];
        atomicAdd(&local[code], 1u);
    }
    __syncthreads();

    for (int code = threadIdx.x; code < kCodes; code += kThreads)
        if (local[code] > 0) atomicAdd(&counts[code], local[code]);
}

extern "C" void kmer_count(int length, const unsigned char* bases, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, kCodes * sizeof(unsigned int));
    int windows = length - kWindow + 1;
    if (windows < 1) return;
    int needed = (windows - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    count_windows<<<blocks, kThreads>>>(windows, bases, counts);
}
