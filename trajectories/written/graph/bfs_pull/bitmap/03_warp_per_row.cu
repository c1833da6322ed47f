// Bottom-up BFS step, one warp per vertex: 32 predecessors at a time, a vote after each round.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarpsPerBlock = kThreads / 32;

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
    int lane = threadIdx.x % 32;
    int v = blockIdx.x * kWarpsPerBlock + threadIdx.x / 32;
    if (v >= vertices) return;  // the whole warp leaves together
    int found = level[v];
    if (found == -1) {
        int end = row_ptr[v + 1];
        for (int first = row_ptr[v]; first < end; first += 32) {  // the same rounds in every lane
            bool hit = first + lane < end && in_frontier(frontier, pred[first + lane]);
            if (__any_sync(0xffffffffu, hit)) {
                found = depth + 1;
                break;
            }
        }
    }
    if (lane == 0) new_level[v] = found;
}

extern "C" void bfs_pull(int vertices, int edges, int depth, const int* row_ptr, const int* pred, const int* level,
                         int* new_level) {
    (void)edges;
    unsigned int* frontier = nullptr;
    cudaMalloc(&frontier, ((vertices - 1) / 32 + 1) * sizeof(unsigned int));
    pack_frontier<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, depth, level, frontier);
    pull<<<(vertices - 1) / kWarpsPerBlock + 1, kThreads>>>(vertices, depth, row_ptr, pred, frontier, level, new_level);
    cudaFree(frontier);
}
