// Connected components: labels are a forest; an edge hangs the larger root under the smaller label, and shortcuts halve the depth each
// round.
#include <cuda_runtime.h>

struct Edge {
    int u, v;
};

constexpr int kThreads = 256;

__global__ void own_labels(int vertices, int* label) {
    const int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) label[v] = v;
}

// label[v] names a vertex of the same component that is not larger than v.
__global__ void hang(int edges, const Edge* edge, int* label, int* changed) {
    const int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= edges) return;
    volatile int* seen = label;
    const int a = seen[edge[k].u], b = seen[edge[k].v];
    if (a == b) return;
    atomicMin(&label[max(a, b)], min(a, b));
    atomicExch(changed, 1);
}

__global__ void shorten(int vertices, int* label) {
    const int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    volatile int* seen = label;
    int root = seen[v];
    while (seen[root] != root) root = seen[root];
    atomicExch(&label[v], root);
}

extern "C" void union_components(int vertices, int edges, const Edge* edge, int* label) {
    int* changed = nullptr;
    cudaMalloc(&changed, sizeof(int));
    const int vertex_blocks = (vertices - 1) / kThreads + 1, edge_blocks = (edges - 1) / kThreads + 1;
    own_labels<<<vertex_blocks, kThreads>>>(vertices, label);
    for (int again = 1; again != 0;) {
        cudaMemset(changed, 0, sizeof(int));
        hang<<<edge_blocks, kThreads>>>(edges, edge, label, changed);
        shorten<<<vertex_blocks, kThreads>>>(vertices, label);
        cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(changed);
}
