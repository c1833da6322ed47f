// Hop counts: one vertex and source a thread, one launch for each number of links.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void start(int vertices, int sources, int hops, const int32_t* source, int32_t* distance, int32_t* count) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sources) return;
    distance[(long long)s * vertices + source[s]] = 0;
    count[s * (hops + 1)] = 1;
}

__global__ void go_on(int vertices, int h, int hops, const int32_t* row, const int32_t* to, int32_t* distance, int32_t* count) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y;
    if (v >= vertices) return;
    distance += (long long)s * vertices;
    if (atomicAdd(distance + v, 0) != h - 1) return;
    for (int e = row[v]; e < row[v + 1]; ++e)
        if (atomicCAS(distance + to[e], -1, h) == -1) atomicAdd(count + s * (hops + 1) + h, 1);
}

extern "C" void hop_counts(int vertices, int links, int sources, int hops, const int32_t* row, const int32_t* to, const int32_t* source,
                           int32_t* count) {
    int32_t* distance = nullptr;
    cudaMalloc(&distance, sizeof(int32_t) * sources * vertices);
    cudaMemsetAsync(distance, 255, sizeof(int32_t) * sources * vertices);
    cudaMemsetAsync(count, 0, sizeof(int32_t) * sources * (hops + 1));
    start<<<(sources - 1) / 128 + 1, 128>>>(vertices, sources, hops, source, distance, count);
    for (int h = 1; h <= hops; ++h)
        go_on<<<dim3((vertices - 1) / 128 + 1, sources), 128>>>(vertices, h, hops, row, to, distance, count);
    cudaFree(distance);
}
