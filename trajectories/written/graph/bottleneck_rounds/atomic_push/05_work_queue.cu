// Widest paths: edges whose tail changed in the round before are queued; a warp takes an edge from the queue.
#include <cuda_runtime.h>

constexpr int kEdges = 8;  // warps of a block
constexpr int kThreads = 256;
constexpr int kBlocks = 1056;
constexpr unsigned int kAll = 0xffffffffu;

// changed[v] is the last round that widened a path to v. Round 0 is said to have changed all.
__global__ void queue_edges(int edges, int round, const int* tail, const int* changed, int* queue, int* length) {
    int e = blockIdx.x * kThreads + threadIdx.x;
    bool live = e < edges && changed[tail[e]] == round - 1;
    unsigned int lanes = __ballot_sync(kAll, live);
    int lane = threadIdx.x % 32, base = 0;
    if (lane == 0 && lanes != 0) base = atomicAdd(length + round, __popc(lanes));
    base = __shfl_sync(kAll, base, 0);
    if (live) queue[base + __popc(lanes & ((1u << lane) - 1u))] = e;
}

__global__ void relax(int sources, int round, const int* tail, const int* head, const int* capacity, const int* before,
                      const int* queue, const int* length, int* changed, int* width) {
    for (int entry = blockIdx.x * kEdges + threadIdx.y; entry < length[round]; entry += gridDim.x * kEdges) {
        const int e = queue[entry];
        const int* from = before + (size_t)tail[e] * sources;
        const size_t to = (size_t)head[e] * sources;
        const int limit = capacity[e];
        bool won = false;
        for (int s = threadIdx.x; s < sources; s += 32) {
            int offer = min(from[s], limit);
            if (offer > before[to + s]) {
                atomicMax(width + to + s, offer);
                won = true;
            }
        }
        if (__any_sync(kAll, won) && threadIdx.x == 0) atomicExch(changed + head[e], round);
    }
}

extern "C" void bottleneck_rounds(int vertices, int edges, int sources, int rounds, const int* tail, const int* head,
                                  const int* capacity, int* width) {
    const size_t bytes = (size_t)vertices * sources * sizeof(int);
    int *before = nullptr, *scratch = nullptr;
    cudaMalloc(&before, bytes);
    cudaMalloc(&scratch, ((size_t)vertices + edges + rounds + 1) * sizeof(int));
    int *changed = scratch, *length = changed + vertices, *queue = length + rounds + 1;
    cudaMemsetAsync(scratch, 0, ((size_t)vertices + rounds + 1) * sizeof(int));
    for (int round = 1; round <= rounds; ++round) {
        cudaMemcpyAsync(before, width, bytes, cudaMemcpyDeviceToDevice);
        queue_edges<<<(edges - 1) / kThreads + 1, kThreads>>>(edges, round, tail, changed, queue, length);
        relax<<<kBlocks, dim3(32, kEdges)>>>(sources, round, tail, head, capacity, before, queue, length, changed,
                                             width);
    }
    cudaFree(scratch);
    cudaFree(before);
}
