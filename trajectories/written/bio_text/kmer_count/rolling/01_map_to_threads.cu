// 6-mer counts, one thread per window, atomics on the global counters.
#include <cuda_runtime.h>

constexpr int kWindow = 6;
constexpr int kCodes = 4096;  // 4 to the power kWindow
constexpr int kThreads = 256;

__global__ void count_windows(int windows, const unsigned char* bases, unsigned int* counts) {
    int start = blockIdx.x * kThreads + threadIdx.x;
    if (start >= windows) return;
    int code = 0;
    for (int k = 0; k < kWindow; ++k) code = 4 * code + bases[start + k];
    atomicAdd(&counts[code], 1u);
}

extern "C" void kmer_count(int length, const unsigned char* bases, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, kCodes * sizeof(unsigned int));
    int windows = length - kWindow + 1;
    if (windows < 1) return;
    count_windows<<<(windows - 1) / kThreads + 1, kThreads>>>(windows, bases, counts);
}
