// Numbers of shortest paths: blocks of 512 threads, since shared memory holds but few sources at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFar = 65535, kThreads = 512, kMost = 4096;

struct Links {
    uint16_t to[4];
};

// The four links of a vertex, in one load where they lie at a multiple of eight bytes.
template <bool kWide>
__device__ Links links_of(int v, const uint16_t* link) {
    Links all;
    if constexpr (kWide) {
        const ushort4 four = ((const ushort4*)link)[v];
        all = {{four.x, four.y, four.z, four.w}};
    } else {
        for (int k = 0; k < 4; ++k) all.to[k] = link[4 * v + k];
    }
    return all;
}

// Writes what was found, of four vertices at once where rows allow it.
template <bool kWide>
__device__ void store_all(int n, const int* hop, const uint32_t* ways, uint16_t* hops, uint32_t* paths) {
    if constexpr (kWide) {
        for (int i = threadIdx.x; i < n / 4; i += kThreads) {
            const int4 four = ((const int4*)hop)[i];
            ((ushort4*)hops)[i] = make_ushort4(four.x, four.y, four.z, four.w);
            ((uint4*)paths)[i] = ((const uint4*)ways)[i];
        }
    } else {
        for (int v = threadIdx.x; v < n; v += kThreads) {
            hops[v] = hop[v];
            paths[v] = ways[v];
        }
    }
}

// A block a source. In each round all vertices that were reached in the round before tell the vertices they lead to.
template <bool kWide>
__global__ void walk(int n, const uint16_t* link, const int32_t* source, uint16_t* hops, uint32_t* paths) {
    __shared__ __align__(16) int hop[kMost];
    __shared__ __align__(16) uint32_t ways[kMost];
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
            const Links all = links_of<kWide>(v, link);
            for (int k = 0; k < 4; ++k) {
                const int u = all.to[k], before = atomicMin(hop + u, round + 1);
                if (before <= round) continue;
                atomicAdd(ways + u, ways[v]);
                reached = true;
            }
        }
        more = __syncthreads_or(reached);
    }
    store_all<kWide>(n, hop, ways, hops, paths);
}

extern "C" void path_counts(int n, int sources, const uint16_t* link, const int32_t* source, uint16_t* hops, uint32_t* paths) {
    const bool wide = n % 4 == 0 && ((uintptr_t)link | (uintptr_t)hops) % 8 == 0 && (uintptr_t)paths % 16 == 0;
    (wide ? walk<true> : walk<false>)<<<sources, kThreads>>>(n, link, source, hops, paths);
}
