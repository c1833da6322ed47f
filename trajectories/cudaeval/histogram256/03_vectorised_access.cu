// Histogram: four values are loaded at once, and four such loads are under way together.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kBins = 256, kLoads = 4, kChunk = 4 * kLoads * kThreads;

template <bool kAligned>
__global__ void count(int n, const int* __restrict__ x, int* bins) {
    __shared__ int counts[kBins];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int begin = blockIdx.x * kChunk, size = min(kChunk, n - begin);
    x += begin;
    if (kAligned && size == kChunk) {
        int4 four[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) four[k] = ((const int4*)x)[k * kThreads + threadIdx.x];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) {
            atomicAdd(counts + four[k].x, 1);
            atomicAdd(counts + four[k].y, 1);
            atomicAdd(counts + four[k].z, 1);
            atomicAdd(counts + four[k].w, 1);
        }
    } else {
        for (int i = threadIdx.x; i < size; i += kThreads) atomicAdd(counts + x[i], 1);
    }
    __syncthreads();
    if (counts[threadIdx.x] > 0) atomicAdd(bins + threadIdx.x, counts[threadIdx.x]);
}

extern "C" void histogram256(int n, const int* x, int* bins) {
    cudaMemsetAsync(bins, 0, kBins * sizeof(int));
    const bool aligned = (uintptr_t)x % 16 == 0;
    if (n > 0) (aligned ? count<true> : count<false>)<<<(n - 1) / kChunk + 1, kThreads>>>(n, x, bins);
}
