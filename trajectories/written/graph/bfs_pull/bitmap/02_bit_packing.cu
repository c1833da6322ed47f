// Bottom-up BFS step, one thread per vertex; frontier membership is one bit per vertex.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// Bit v % 32 of word v / 32 says whether vertex v is in the frontier.
__global__ void pack_frontier(int vertices, int depth, const int* level, unsigned int* frontier) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    bool member = v < vertices && level[v] == depth;
    unsigned int word = __ballot_sync(0xffffffffu, member);  // all lanes vote, also those past the last vertex
    if (threadIdx.x % 32 == 0 && v < vertices) frontier[v / 32] = word;
}

__device__ bool in_frontier(const unsigned int* frontier, int v) { return frontier[v / 32] >> (v % 32) & 1u; }

__global__ void pull(int vertices, int depth, const int* row_ptr, const int* pred, const unsigned int* frontier,
                     const int* level, int* new_level) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    int found = level[v];
    if (found == -1) {
        int end = row_ptr[v + 1];
        for (int k = row_ptr[v]; k < end; ++k) {
            if (in_frontier(frontier, pred[k])) {
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
    const int blocks = (vertices - 1) / kThreads + 1;
    unsigned int* frontier = nullptr;
    cudaMalloc(&frontier, ((vertices - 1) / 32 + 1) * sizeof(unsigned int));
    pack_frontier<<<blocks, kThreads>>>(vertices, depth, level, frontier);
    pull<<<blocks, kThreads>>>(vertices, depth, row_ptr, pred, frontier, level, new_level);
    cudaFree(frontier);
}
