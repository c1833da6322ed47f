// Quality trimming: a block stages its reads in shared memory with coalesced word loads; one thread per read.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;  // and reads per block

__global__ void trim(int reads, int length, int threshold, bool aligned, const uint8_t* quality, const float* chance,
                     int* cut, float* errors) {
    extern __shared__ unsigned int staged[];
    __shared__ float table[64];
    if (threadIdx.x < 64) table[threadIdx.x] = chance[threadIdx.x];
    const int first = blockIdx.x * kThreads, bytes = min(kThreads, reads - first) * length;
    const uint8_t* source = quality + (size_t)first * length;
    uint8_t* rows = reinterpret_cast<uint8_t*>(staged);
    const int words = aligned ? bytes / 4 : 0;  // 128 rows are whole words whatever their length
    for (int w = threadIdx.x; w < words; w += kThreads) staged[w] = reinterpret_cast<const unsigned int*>(source)[w];
    for (int b = 4 * words + threadIdx.x; b < bytes; b += kThreads) rows[b] = source[b];
    __syncthreads();
    const int r = first + threadIdx.x;
    if (r >= reads) return;
    const uint8_t* q = rows + threadIdx.x * length;
    int kept = length, best = 0;
    for (int k = length - 1, sum = 0; k >= 0; --k) {
        sum += threshold - q[k];
        if (sum < 0) break;
        if (sum > best) {
            best = sum;
            kept = k;
        }
    }
    float expected = 0.0f;
    for (int k = 0; k < kept; ++k) expected += table[q[k]];
    cut[r] = kept;
    errors[r] = expected;
}

extern "C" void phred_trim(int reads, int length, int threshold, const uint8_t* quality, const float* chance, int* cut,
                           float* errors) {
    const int row_bytes = (kThreads * length + 3) / 4 * 4;
    bool aligned = reinterpret_cast<uintptr_t>(quality) % 4 == 0;
    if (row_bytes > 40 * 1024) cudaFuncSetAttribute(trim, cudaFuncAttributeMaxDynamicSharedMemorySize, row_bytes);
    trim<<<(reads - 1) / kThreads + 1, kThreads, row_bytes>>>(reads, length, threshold, aligned, quality, chance, cut,
                                                              errors);
}
