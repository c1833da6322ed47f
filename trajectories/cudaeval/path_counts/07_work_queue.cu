// Numbers of shortest paths: a queue of the vertices that were reached, so that a round looks at those of the round before alone.
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

// A block a source. In each round all vertices that were reached in the round before, the queue's newest, tell the vertices they lead to.
// The one who is first to reach a vertex puts it in the queue, so that warps are full however far apart such vertices are.
template <bool kWide>
__global__ void walk(int n, const uint16_t* link, const int32_t* source, uint16_t* hops, uint32_t* paths) {
    __shared__ __align__(16) int hop[kMost];
    __shared__ __align__(16) uint32_t ways[kMost];
    __shared__ uint16_t queue[kMost];
    __shared__ int queued;
    hops += (long long)blockIdx.x * n;
    paths += (long long)blockIdx.x * n;
    const int origin = source[blockIdx.x];
    for (int v = threadIdx.x; v < n; v += kThreads) {
        hop[v] = v == origin ? 0 : kFar;
        ways[v] = v == origin;
    }
    if (threadIdx.x == 0) {
        queue[0] = origin;
        queued = 1;
    }
    __syncthreads();
    for (int round = 0, head = 0, tail = 1; head < tail; ++round) {
        for (int i = head + threadIdx.x; i < tail; i += kThreads) {
            const int v = queue[i];
            const Links all = links_of<kWide>(v, link);
            const uint32_t mine = ways[v];
            int before[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) before[k] = atomicMin(hop + all.to[k], round + 1);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                if (before[k] <= round) continue;
                atomicAdd(ways + all.to[k], mine);
                if (before[k] == kFar) queue[atomicAdd(&queued, 1)] = all.to[k];
            }
        }
        __syncthreads();
        head = tail;
        tail = queued;
        __syncthreads();
    }
    store_all<kWide>(n, hop, ways, hops, paths);
}

extern "C" void path_counts(int n, int sources, const uint16_t* link, const int32_t* source, uint16_t* hops, uint32_t* paths) {
    const bool wide = n % 4 == 0 && ((uintptr_t)link | (uintptr_t)hops) % 8 == 0 && (uintptr_t)paths % 16 == 0;
    (wide ? walk<true> : walk<false>)<<<sources, kThreads>>>(n, link, source, hops, paths);
}
