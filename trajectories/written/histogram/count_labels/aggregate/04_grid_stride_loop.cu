// Class counts; a fixed grid strides through the labels, aggregating in warps and counting in shared tables.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1024;
constexpr int kNone = -1;  // the label of lanes past the end

// Adds this lane's label to the counters. All 32 lanes must call it together.
__device__ void add_label(int label, unsigned int* counts) {
    unsigned int same = __match_any_sync(0xffffffffu, label);
    bool leader = __ffs(same) - 1 == (int)(threadIdx.x % 32);
    if (leader && label != kNone) atomicAdd(&counts[label], (unsigned int)__popc(same));
}

__global__ void count(int n, int classes, const int* labels, unsigned int* counts) {
    extern __shared__ unsigned int table[];  // one counter for each class
    for (int c = threadIdx.x; c < classes; c += kThreads) table[c] = 0;
    __syncthreads();

    // The bound is uniform for the block, so that all lanes of a warp take part in every match.
    long long stride = (long long)gridDim.x * kThreads;
    for (long long first = blockIdx.x * kThreads; first < n; first += stride) {
        long long i = first + threadIdx.x;
        add_label(i < n ? labels[i] : kNone, table);
    }
    __syncthreads();

    for (int c = threadIdx.x; c < classes; c += kThreads)
        if (table[c] > 0) atomicAdd(&counts[c], table[c]);
}

extern "C" void count_labels(int n, int classes, const int* labels, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, classes * sizeof(unsigned int));
    int needed = (n - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    count<<<blocks, kThreads, classes * sizeof(unsigned int)>>>(n, classes, labels, counts);
}
