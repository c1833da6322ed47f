// Widest paths: edges grouped by head; eight lanes per vertex, four sources per lane where rows are aligned.
#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

constexpr int kThreads = 256;

struct Entry {
    int tail, capacity;
};

__global__ void count(int edges, const int* head, int* degree) {
    int e = blockIdx.x * kThreads + threadIdx.x;
    if (e < edges) atomicAdd(degree + head[e], 1);
}

// Stretches lie in whatever order the vertices reserve them.
__global__ void reserve(int vertices, const int* degree, int* first, int* position, int* reserved) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) first[v] = position[v] = atomicAdd(reserved, degree[v]);
}

__global__ void fill(int edges, const int* tail, const int* head, const int* capacity, int* position, Entry* entries) {
    int e = blockIdx.x * kThreads + threadIdx.x;
    if (e < edges) entries[atomicAdd(position + head[e], 1)] = {tail[e], capacity[e]};
}

__global__ void pull(int vertices, int sources, const int* first, const int* degree, const Entry* entries,
                     const int* before, int* after) {
    int v = blockIdx.x * blockDim.y + threadIdx.y;
    if (v >= vertices) return;
    const int begin = first[v], end = begin + degree[v];
    for (int s = threadIdx.x; s < sources; s += 32) {
        int widest = before[(size_t)v * sources + s];
        for (int k = begin; k < end; ++k)
            widest = max(widest, min(before[(size_t)entries[k].tail * sources + s], entries[k].capacity));
        after[(size_t)v * sources + s] = widest;
    }
}

__device__ int4 widen(int4 widest, int4 from, int limit) {
    return {max(widest.x, min(from.x, limit)), max(widest.y, min(from.y, limit)), max(widest.z, min(from.z, limit)),
            max(widest.w, min(from.w, limit))};
}

__global__ void pull_by_four(int vertices, int quads, const int* first, const int* degree, const Entry* entries,
                             const int4* before, int4* after) {
    int v = blockIdx.x * blockDim.y + threadIdx.y;
    if (v >= vertices) return;
    const int begin = first[v], end = begin + degree[v];
    for (int q = threadIdx.x; q < quads; q += 8) {
        int4 widest = before[(size_t)v * quads + q];
        for (int k = begin; k < end; ++k)
            widest = widen(widest, before[(size_t)entries[k].tail * quads + q], entries[k].capacity);
        after[(size_t)v * quads + q] = widest;
    }
}

extern "C" void bottleneck_rounds(int vertices, int edges, int sources, int rounds, const int* tail, const int* head,
                                  const int* capacity, int* width) {
    const int edge_blocks = (edges - 1) / kThreads + 1, vertex_blocks = (vertices - 1) / kThreads + 1;
    const size_t bytes = (size_t)vertices * sources * sizeof(int);
    int *other = nullptr, *scratch = nullptr;
    Entry* entries = nullptr;
    cudaMalloc(&other, bytes);
    cudaMalloc(&entries, edges * sizeof(Entry));
    cudaMalloc(&scratch, (3 * (size_t)vertices + 1) * sizeof(int));
    int *degree = scratch, *reserved = degree + vertices, *first = reserved + 1, *position = first + vertices;
    cudaMemsetAsync(scratch, 0, ((size_t)vertices + 1) * sizeof(int));
    count<<<edge_blocks, kThreads>>>(edges, head, degree);
    reserve<<<vertex_blocks, kThreads>>>(vertices, degree, first, position, reserved);
    fill<<<edge_blocks, kThreads>>>(edges, tail, head, capacity, position, entries);
    int *now = width, *next = other;
    const bool by_four = sources % 4 == 0 && reinterpret_cast<uintptr_t>(width) % sizeof(int4) == 0;
    for (int round = 0; round < rounds; ++round) {
        if (by_four)
            pull_by_four<<<(vertices - 1) / 32 + 1, dim3(8, 32)>>>(vertices, sources / 4, first, degree, entries,
                                                                   reinterpret_cast<const int4*>(now),
                                                                   reinterpret_cast<int4*>(next));
        else
            pull<<<(vertices - 1) / 8 + 1, dim3(32, 8)>>>(vertices, sources, first, degree, entries, now, next);
        std::swap(now, next);
    }
    if (now != width) cudaMemcpyAsync(width, now, bytes, cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
    cudaFree(entries);
    cudaFree(other);
}
