// Widest paths: a warp per edge; atomics only for offers that beat the head's width from before the round.
#include <cuda_runtime.h>

constexpr int kEdges = 8;  // per block, one warp for each

__global__ void relax(int edges, int sources, const int* tail, const int* head, const int* capacity, const int* before,
                      int* width) {
    int e = blockIdx.x * kEdges + threadIdx.y;
    if (e >= edges) return;
    const int* from = before + (size_t)tail[e] * sources;
    const size_t to = (size_t)head[e] * sources;
    const int limit = capacity[e];
    for (int s = threadIdx.x; s < sources; s += 32) {
        int offer = min(from[s], limit);
        if (offer > before[to + s]) atomicMax(width + to + s, offer);
    }
}

extern "C" void bottleneck_rounds(int vertices, int edges, int sources, int rounds, const int* tail, const int* head,
                                  const int* capacity, int* width) {
    const size_t bytes = (size_t)vertices * sources * sizeof(int);
    int* before = nullptr;
    cudaMalloc(&before, bytes);
    for (int round = 0; round < rounds; ++round) {
        cudaMemcpyAsync(before, width, bytes, cudaMemcpyDeviceToDevice);
        relax<<<(edges - 1) / kEdges + 1, dim3(32, kEdges)>>>(edges, sources, tail, head, capacity, before, width);
    }
    cudaFree(before);
}
