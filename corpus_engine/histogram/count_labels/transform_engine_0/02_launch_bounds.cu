#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// count_labels: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// launch_bounds(blocks 2) [nest 1, 2]: registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2) count_labels_1_map(int classes, unsigned int* counts) {
    const int c = blockIdx.x * 256 + threadIdx.x;
    if (c < classes) {
        counts[c] = 0;
    }
}

__global__ void __launch_bounds__(256, 2) count_labels_2_update(int n, const int* labels, unsigned int* counts) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        atomicAdd(&counts[labels[i]], (unsigned int)(1));
    }
}

extern "C" void count_labels(int n, int classes, const int* labels, unsigned int* counts) {
    if (classes >= 1) {
        count_labels_1_map<<<(classes - 1) / 256 + 1, 256>>>(classes, counts);
    }
    if (n >= 1) {
        count_labels_2_update<<<(n - 1) / 256 + 1, 256>>>(n, labels, counts);
    }
}