// 6-mer counts in a shared table; a thread rolls its code over 16 consecutive windows.
#include <cuda_runtime.h>

constexpr int kWindow = 6;
constexpr int kCodes = 4096;  // 4 to the power kWindow
constexpr int kThreads = 256;
constexpr int kMaxBlocks = 512;
constexpr int kRun = 16;  // consecutive windows per thread and trip

__global__ void count_windows(int windows, const unsigned char* bases, unsigned int* counts) {
    __shared__ unsigned int local[kCodes];
    for (int code = threadIdx.x; code < kCodes; code += kThreads) local[code] = 0;
    __syncthreads();

    long long stride = (long long)gridDim.x * kThreads * kRun;
    for (long long start = (blockIdx.x * kThreads + threadIdx.x) * (long long)kRun; start < windows; start += stride) {
        int run = min((long long)kRun, windows - start);
        int code = 0;
        for (int k = 0; k < kWindow - 1; ++k) code = 4 * code + bases[start + k];
        for (int w = 0; w < run; ++w) {
            code = (code << 2 | bases[start + w + kWindow - 1]) & (kCodes - 1);  // the oldest base drops out
            atomicAdd(&local[code], 1u);
        }
    }
    __syncthreads();

    for (int code = threadIdx.x; code < kCodes; code += kThreads)
        if (local[code] > 0) atomicAdd(&counts[code], local[code]);
}

extern "C" void kmer_count(int length, const unsigned char* bases, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, kCodes * sizeof(unsigned int));
    int windows = length - kWindow + 1;
    if (windows < 1) return;
    int needed = (windows - 1) / (kThreads * kRun) + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    count_windows<<<blocks, kThreads>>>(windows, bases, counts);
}
