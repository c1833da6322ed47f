// Class counts; warps aggregate equal labels into a shared table, which the block merges once.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
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

    int i = blockIdx.x * kThreads + threadIdx.x;
    add_label(i < n ? labels[i] : kNone, table);
    __syncthreads();

    for (int c = threadIdx.x; c < classes; c += kThreads)
        if (table[c] > 0) atomicAdd(&counts[c], table[c]);
}

extern "C" void count_labels(int n, int classes, const int* labels, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, classes * sizeof(unsigned int));
    count<<<(n - 1) / kThreads + 1, kThreads, classes * sizeof(unsigned int)>>>(n, classes, labels, counts);
}
