#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// lower_bound_batch: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    lower_bound_batch_1_map(int n, const int* keys, int queries, const int* query, int* position) {
    const int q = blockIdx.x * 256 + threadIdx.x;
    if (q < queries) {
        int low = 0;
        int high = n;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (keys[middle] < query[q]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        position[q] = low;
    }
}

extern "C" void lower_bound_batch(int n, const int* keys, int queries, const int* query, int* position) {
    if (queries >= 1) {
        lower_bound_batch_1_map<<<(queries - 1) / 256 + 1, 256>>>(n, keys, queries, query, position);
    }
}