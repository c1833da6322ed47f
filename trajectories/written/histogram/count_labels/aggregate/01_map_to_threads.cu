// Class counts, one thread per label, one global atomic each.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void count(int n, const int* labels, unsigned int* counts) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) atomicAdd(&counts[labels[i]], 1u);
}

extern "C" void count_labels(int n, int classes, const int* labels, unsigned int* counts) {
    cudaMemsetAsync(counts, 0, classes * sizeof(unsigned int));
    count<<<(n - 1) / kThreads + 1, kThreads>>>(n, labels, counts);
}
