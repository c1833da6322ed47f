// Connected components: rounds in which each edge lowers the label of its larger end, one edge a thread, until nothing changes.
#include <cuda_runtime.h>

struct Edge {
    int u, v;
};

constexpr int kThreads = 256;

__global__ void own_labels(int vertices, int* label) {
    const int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) label[v] = v;
}

__global__ void lower(int edges, const Edge* edge, int* label, int* changed) {
    const int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= edges) return;
    const int u = edge[k].u, v = edge[k].v;
    volatile int* seen = label;
    const int a = seen[u], b = seen[v];
    if (a == b) return;
    atomicMin(&label[a < b ? v : u], min(a, b));
    atomicExch(changed, 1);
}

extern "C" void union_components(int vertices, int edges, const Edge* edge, int* label) {
    int* changed = nullptr;
    cudaMalloc(&changed, sizeof(int));
    own_labels<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, label);
    for (int again = 1; again != 0;) {
        cudaMemset(changed, 0, sizeof(int));
        lower<<<(edges - 1) / kThreads + 1, kThreads>>>(edges, edge, label, changed);
        cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(changed);
}
