// Numbers of shortest paths: one source a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFar = 65535;

// `queue` has room for n vertices a source.
__global__ void walk(int n, int sources, const uint16_t* link, const int32_t* source, uint16_t* queue, uint16_t* hops, uint32_t* paths) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sources) return;
    queue += (long long)s * n;
    hops += (long long)s * n;
    paths += (long long)s * n;
    for (int v = 0; v < n; ++v) {
        hops[v] = kFar;
        paths[v] = 0;
    }
    int head = 0, tail = 1;
    queue[0] = source[s];
    hops[source[s]] = 0;
    paths[source[s]] = 1;
    while (head < tail) {
        const int v = queue[head++];
        for (int k = 0; k < 4; ++k) {
            const int u = link[4 * v + k];
            if (hops[u] == kFar) {
                hops[u] = hops[v] + 1;
                queue[tail++] = u;
            }
            if (hops[u] == hops[v] + 1) paths[u] += paths[v];
        }
    }
}

extern "C" void path_counts(int n, int sources, const uint16_t* link, const int32_t* source, uint16_t* hops, uint32_t* paths) {
    uint16_t* queue = nullptr;
    cudaMalloc(&queue, sizeof(uint16_t) * n * sources);
    walk<<<(sources - 1) / 32 + 1, 32>>>(n, sources, link, source, queue, hops, paths);
    cudaFree(queue);
}
