// Connected components: lock-free union-find; an edge is one 8-byte load.
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

template <bool kPairs>
__global__ void unite(int edges, const Edge* edge, int* label) {
    const int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= edges) return;
    const int2 ends = kPairs ? __ldg((const int2*)edge + k) : make_int2(edge[k].u, edge[k].v);
    int a = root_of(label, ends.x), b = root_of(label, ends.y);
    while (a != b) {
        const int low = min(a, b), high = max(a, b);
        const int before = atomicCAS(&label[high], high, low);
        if (before == high) return;
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
    if ((size_t)edge % sizeof(int2) == 0)
        unite<true><<<edge_blocks, kThreads>>>(edges, edge, label);
    else
        unite<false><<<edge_blocks, kThreads>>>(edges, edge, label);
    shorten<<<vertex_blocks, kThreads>>>(vertices, label);
}
