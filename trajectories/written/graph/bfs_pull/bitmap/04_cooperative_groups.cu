// Bottom-up BFS step, a tile of eight lanes per vertex, each tile with its own vote and early exit.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kLanes = 8;  // per vertex
constexpr int kVerticesPerBlock = kThreads / kLanes;

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
    auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
    int lane = tile.thread_rank();
    int v = blockIdx.x * kVerticesPerBlock + threadIdx.x / kLanes;
    if (v >= vertices) return;  // the whole tile leaves together
    int found = level[v];
    if (found == -1) {
        int end = row_ptr[v + 1];
        for (int first = row_ptr[v]; first < end; first += kLanes) {  // the same rounds in every lane of the tile
            bool hit = first + lane < end && in_frontier(frontier, pred[first + lane]);
            if (tile.any(hit)) {
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
    pull<<<(vertices - 1) / kVerticesPerBlock + 1, kThreads>>>(vertices, depth, row_ptr, pred, frontier, level,
                                                              new_level);
    cudaFree(frontier);
}
