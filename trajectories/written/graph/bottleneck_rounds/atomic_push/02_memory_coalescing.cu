// Widest paths: one thread per edge and source, sources across the lanes.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void relax(int edges, int sources, const int* tail, const int* head, const int* capacity, const int* before,
                      int* width) {
    size_t pair = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (pair >= (size_t)edges * sources) return;
    size_t e = pair / sources;
    int s = (int)(pair - e * sources);
    atomicMax(width + (size_t)head[e] * sources + s, min(before[(size_t)tail[e] * sources + s], capacity[e]));
}

extern "C" void bottleneck_rounds(int vertices, int edges, int sources, int rounds, const int* tail, const int* head,
                                  const int* capacity, int* width) {
    const size_t bytes = (size_t)vertices * sources * sizeof(int);
    const unsigned int blocks = (unsigned int)(((size_t)edges * sources - 1) / kThreads + 1);
    int* before = nullptr;
    cudaMalloc(&before, bytes);
    for (int round = 0; round < rounds; ++round) {
        cudaMemcpyAsync(before, width, bytes, cudaMemcpyDeviceToDevice);
        relax<<<blocks, kThreads>>>(edges, sources, tail, head, capacity, before, width);
    }
    cudaFree(before);
}
