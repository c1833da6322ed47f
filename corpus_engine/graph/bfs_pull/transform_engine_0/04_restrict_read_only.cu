#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// bfs_pull: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// thread_coarsening(points 2): several points a thread.
// block_size_tuning(block 128): another block shape.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void bfs_pull_1_map(int vertices, int depth, const int* __restrict__ row_ptr, const int* __restrict__ pred,
                               const int* __restrict__ level, int* __restrict__ new_level) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int v = blockIdx.x * 256 + threadIdx.x + part * 128;
        if (v < vertices) {
            int found = level[v];
            if (found == -1) {
                for (int k = row_ptr[v]; k < row_ptr[v + 1]; ++k) {
                    if (level[pred[k]] == depth) {
                        found = depth + 1;
                        break;
                    }
                }
            }
            new_level[v] = found;
        }
    }
}

extern "C" void bfs_pull(int vertices, int edges, int depth, const int* row_ptr, const int* pred, const int* level,
                         int* new_level) {
    (void)edges;
    if (vertices >= 1) {
        bfs_pull_1_map<<<(vertices - 1) / 256 + 1, 128>>>(vertices, depth, row_ptr, pred, level, new_level);
    }
}