#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// lower_bound_batch: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// block_size_tuning(block 128): another block shape.
// thread_coarsening(points 2): several points a thread.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(128, 2)
    lower_bound_batch_1_map(int n, const int* keys, int queries, const int* query, int* position) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int q = blockIdx.x * 256 + threadIdx.x + part * 128;
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
}

extern "C" void lower_bound_batch(int n, const int* keys, int queries, const int* query, int* position) {
    if (queries >= 1) {
        lower_bound_batch_1_map<<<(queries - 1) / 256 + 1, 128>>>(n, keys, queries, query, position);
    }
}