// Widest paths: one thread per edge, a loop over sources, atomic maxima.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void relax(int edges, int sources, const int* tail, const int* head, const int* capacity, const int* before,
                      int* width) {
    int e = blockIdx.x * kThreads + threadIdx.x;
    if (e >= edges) return;
    const int* from = before + (size_t)tail[e] * sources;
    int* to = width + (size_t)head[e] * sources;
    for (int s = 0; s < sources; ++s) atomicMax(to + s, min(from[s], capacity[e]));
}

extern "C" void bottleneck_rounds(int vertices, int edges, int sources, int rounds, const int* tail, const int* head,
                                  const int* capacity, int* width) {
    const size_t bytes = (size_t)vertices * sources * sizeof(int);
    int* before = nullptr;
    cudaMalloc(&before, bytes);
    for (int round = 0; round < rounds; ++round) {
        cudaMemcpyAsync(before, width, bytes, cudaMemcpyDeviceToDevice);
        relax<<<(edges - 1) / kThreads + 1, kThreads>>>(edges, sources, tail, head, capacity, before, width);
    }
    cudaFree(before);
}
