#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// count_labels: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// launch_bounds(blocks 2) [nest 1, 2]: registers limited, so that several blocks share a multiprocessor.
// streaming_stores [nest 1, 2]: what is touched once goes past the caches.
// grid_stride_loop(blocks 1056) [nest 1, 2]: a fixed number of blocks strides over all points.
// shared_memory_histogram(blocks 528) [nest 2]: updates collected in shared memory.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2) count_labels_1_map(int classes, unsigned int* counts) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)classes; point += gridDim.x * 256) {
        const int c = point;
        __stcs(&counts[c], 0);
    }
}

__global__ void __launch_bounds__(256, 2) count_labels_2_update(int n, const int* labels, unsigned int* counts) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)n; point += gridDim.x * 256) {
        const int i = point;
        atomicAdd(&counts[__ldcs(&labels[i])], (unsigned int)(1));
    }
}

__global__ void __launch_bounds__(256, 2)
    count_labels_3_update(int n, int classes, const int* labels, unsigned int* counts) {
    extern __shared__ unsigned int counts_block[];
    for (int bin = threadIdx.x; bin < classes; bin += 256) {
        counts_block[bin] = 0;
    }
    __syncthreads();
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)n; point += gridDim.x * 256) {
        const int i = point;
        atomicAdd(&counts_block[__ldcs(&labels[i])], (unsigned int)(1));
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < classes; bin += 256) {
        if (counts_block[bin] != 0) {
            atomicAdd(&counts[bin], counts_block[bin]);
        }
    }
}

extern "C" void count_labels(int n, int classes, const int* labels, unsigned int* counts) {
    if (classes >= 1) {
        count_labels_1_map<<<min((classes - 1) / 256 + 1, 1056), 256>>>(classes, counts);
    }
    if (classes * sizeof(unsigned int) <= 49152) {
        if (n >= 1) {
            count_labels_3_update<<<min((n - 1) / 256 + 1, 528), 256, classes * sizeof(unsigned int)>>>(n, classes,
                                                                                                        labels, counts);
        }
    } else {
        if (n >= 1) {
            count_labels_2_update<<<min((n - 1) / 256 + 1, 528), 256>>>(n, labels, counts);
        }
    }
}