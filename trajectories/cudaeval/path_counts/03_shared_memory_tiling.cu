// Numbers of shortest paths: what is known of vertices is in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFar = 65535, kThreads = 256, kMost = 4096;

// A block a source. In each round all vertices that were reached in the round before tell the vertices they lead to.
__global__ void walk(int n, const uint16_t* link, const int32_t* source, uint16_t* hops, uint32_t* paths) {
    __shared__ int hop[kMost];
    __shared__ uint32_t ways[kMost];
    hops += (long long)blockIdx.x * n;
    paths += (long long)blockIdx.x * n;
    for (int v = threadIdx.x; v < n; v += kThreads) {
        hop[v] = v == source[blockIdx.x] ? 0 : kFar;
        ways[v] = v == source[blockIdx.x];
    }
    bool more = true;
    __syncthreads();
    for (int round = 0; more; ++round) {
        bool reached = false;
        for (int v = threadIdx.x; v < n; v += kThreads) {
            if (atomicAdd(hop + v, 0) != round) continue;
            for (int k = 0; k < 4; ++k) {
                const int u = link[4 * v + k], before = atomicMin(hop + u, round + 1);
                if (before <= round) continue;
                atomicAdd(ways + u, ways[v]);
                reached = true;
            }
        }
        more = __syncthreads_or(reached);
    }
    for (int v = threadIdx.x; v < n; v += kThreads) {
        hops[v] = hop[v];
        paths[v] = ways[v];
    }
}

extern "C" void path_counts(int n, int sources, const uint16_t* link, const int32_t* source, uint16_t* hops, uint32_t* paths) {
    walk<<<sources, kThreads>>>(n, link, source, hops, paths);
}
