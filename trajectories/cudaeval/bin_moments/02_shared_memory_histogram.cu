// Moments by bin: each block has its own sums in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

using Wide = unsigned long long;  // sums wrap around alike, with a sign and without

constexpr int kThreads = 256, kMost = 1024, kChunk = 8 * kThreads;

// A block adds its measurements up in shared memory and then to the sums of all.
__global__ void add(int n, int bins, const uint16_t* bin, const int32_t* value, int32_t* count, Wide* sum, Wide* squares) {
    __shared__ int counts[kMost];
    __shared__ Wide sums[kMost], squared[kMost];
    for (int b = threadIdx.x; b < bins; b += kThreads) counts[b] = sums[b] = squared[b] = 0;
    __syncthreads();
    const int begin = blockIdx.x * kChunk, end = min(n, begin + kChunk);
    for (int i = begin + threadIdx.x; i < end; i += kThreads) {
        const long long v = value[i];
        atomicAdd(counts + bin[i], 1);
        atomicAdd(sums + bin[i], (Wide)v);
        atomicAdd(squared + bin[i], (Wide)(v * v));
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += kThreads) {
        if (counts[b] == 0) continue;
        atomicAdd(count + b, counts[b]);
        atomicAdd(sum + b, sums[b]);
        atomicAdd(squares + b, squared[b]);
    }
}

extern "C" void bin_moments(int n, int bins, const uint16_t* bin, const int32_t* value, int32_t* count, int64_t* sum, int64_t* squares) {
    cudaMemsetAsync(count, 0, sizeof(int32_t) * bins);
    cudaMemsetAsync(sum, 0, sizeof(int64_t) * bins);
    cudaMemsetAsync(squares, 0, sizeof(int64_t) * bins);
    if (n > 0) add<<<(n - 1) / kChunk + 1, kThreads>>>(n, bins, bin, value, count, (Wide*)sum, (Wide*)squares);
}
