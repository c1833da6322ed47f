// 6-mer counts in a shared table; a thread loads the bases of its 16 windows as two vectors.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWindow = 6;
constexpr int kCodes = 4096;  // 4 to the power kWindow
constexpr int kThreads = 256;
constexpr int kMaxBlocks = 512;
constexpr int kRun = 16;  // consecutive windows per thread and trip

// Counts kRun windows whose bases lie in six 32-bit words, lowest byte first.
__device__ void count_words(const unsigned int (&word)[6], unsigned int* local) {
    int code = 0;
#pragma unroll
    for (int b = 0; b < kRun + kWindow - 1; ++b) {
        code = (code << 2 | (int)(word[b / 4] >> (8 * (b % 4)) & 0xFF)) & (kCodes - 1);
        if (b >= kWindow - 1) atomicAdd(&local[code], 1u);
    }
}

__global__ void count_windows(int length, bool aligned, const unsigned char* bases, unsigned int* counts) {
    const int windows = length - kWindow + 1;
    __shared__ unsigned int local[kCodes];
    for (int code = threadIdx.x; code < kCodes; code += kThreads) local[code] = 0;
    __syncthreads();

    long long stride = (long long)gridDim.x * kThreads * kRun;
    for (long long start = (blockIdx.x * kThreads + threadIdx.x) * (long long)kRun; start < windows; start += stride) {
        if (aligned && start + 24 <= length) {  // start is a multiple of 16
            uint4 a = *reinterpret_cast<const uint4*>(bases + start);
            uint2 b = *reinterpret_cast<const uint2*>(bases + start + 16);
            unsigned int word[6] = {a.x, a.y, a.z, a.w, b.x, b.y};
            count_words(word, local);
            continue;
        }
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
    bool aligned = reinterpret_cast<uintptr_t>(bases) % 16 == 0;
    count_windows<<<blocks, kThreads>>>(length, aligned, bases, counts);
}
