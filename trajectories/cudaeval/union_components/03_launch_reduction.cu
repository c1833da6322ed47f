// Connected components: a lock-free union-find, in which a thread repeats its own edge until both ends share a root; no rounds, no
// waiting host.
#include <cuda_runtime.h>

struct Edge {
    int u, v;
};

constexpr int kThreads = 256;

__global__ void own_labels(int vertices, int* label) {
    const int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) label[v] = v;
}

__device__ int root_of(int* label, int v) {
    volatile int* seen = label;
    for (int up = seen[v]; up != v; up = seen[v]) v = up;
    return v;
}

__global__ void unite(int edges, const Edge* edge, int* label) {
    const int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= edges) return;
    int a = root_of(label, edge[k].u), b = root_of(label, edge[k].v);
    while (a != b) {
        const int low = min(a, b), high = max(a, b);
        const int before = atomicCAS(&label[high], high, low);
        if (before == high) return;
        // Another thread was quicker: go on from where it hung this root.
        a = low;
        b = root_of(label, before);
    }
}

__global__ void shorten(int vertices, int* label) {
    const int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) atomicExch(&label[v], root_of(label, v));
}

extern "C" void union_components(int vertices, int edges, const Edge* edge, int* label) {
    const int vertex_blocks = (vertices - 1) / kThreads + 1, edge_blocks = (edges - 1) / kThreads + 1;
    own_labels<<<vertex_blocks, kThreads>>>(vertices, label);
    unite<<<edge_blocks, kThreads>>>(edges, edge, label);
    shorten<<<vertex_blocks, kThreads>>>(vertices, label);
}
