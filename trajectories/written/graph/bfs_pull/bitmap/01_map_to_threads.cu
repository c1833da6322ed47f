// Bottom-up BFS step, one thread per vertex.
#include <cuda_runtime.h>

__global__ void pull(int vertices, int depth, const int* row_ptr, const int* pred, const int* level, int* new_level) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    int found = level[v];
    if (found == -1) {
        int end = row_ptr[v + 1];
        for (int k = row_ptr[v]; k < end; ++k) {
            if (level[pred[k]] == depth) {
                found = depth + 1;
                break;
            }
        }
    }
    new_level[v] = found;
}

extern "C" void bfs_pull(int vertices, int edges, int depth, const int* row_ptr, const int* pred, const int* level,
                         int* new_level) {
    (void)edges;
    const int threads = 256;
    pull<<<(vertices - 1) / threads + 1, threads>>>(vertices, depth, row_ptr, pred, level, new_level);
}
