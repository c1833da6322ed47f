// Class counts; lanes of a warp with the same label are counted together, one atomic per label and warp.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kNone = -1;  // the label of lanes past the end

// Adds this lane's label to the counters. All 32 lanes must call it together.
__device__ void add_label(int label, unsigned int* counts) {
    unsigned int same = __match_any_sync(0xffffffffu, label);
    bool leader = __ffs(same) - 1 == (int)(threadIdx.x % 32);
    if (leader && label != kNone) atomicAdd(&counts[label], (unsigned int)__popc(same));
}

__global__ void count(int n, const int* labels, unsigned int* counts) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    add_label(i < n ? labels[i] : kNone, counts);
}

extern "C" void count_labels(int n, int classes, const int* labels, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, classes * sizeof(unsigned int));
    count<<<(n - 1) / kThreads + 1, kThreads>>>(n, labels, counts);
}
