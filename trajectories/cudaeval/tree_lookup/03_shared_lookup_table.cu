// Tree lookups: the nodes near the root, which all queries pass, lie in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr uint32_t kNear = 18;  // nodes: the root and its children

// How many separators of a node are not above `key`.
__device__ int below(const uint4* node, uint32_t key) {
    int count = 0;
    for (int k = 0; k < 4; ++k) {
        const uint4 four = node[k];
        count += (four.x <= key) + (four.y <= key) + (four.z <= key) + (four.w <= key);
    }
    return count;
}

__device__ int below(const uint32_t* node, uint32_t key) {
    int count = 0;
    for (int k = 0; k < 16; ++k) count += node[k] <= key;
    return count;
}

// `Part`: a word, or four of them where nodes begin at multiples of 16 bytes.
template <typename Part>
__global__ void descend(uint32_t nodes, int queries, const uint32_t* __restrict__ separator, const uint32_t* __restrict__ query,
                        uint32_t* __restrict__ leaf, uint8_t* __restrict__ depth) {
    __shared__ uint4 near[4 * kNear];
    const uint32_t held = min(nodes, kNear);
    for (uint32_t i = threadIdx.x; i < 16 * held; i += blockDim.x) ((uint32_t*)near)[i] = separator[i];
    __syncthreads();
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    const uint32_t key = query[q];
    uint32_t node = 0;
    int visited = 0;
    for (; node < held; ++visited) node = 17 * node + 1 + below(near + 4 * node, key);
    for (; node < nodes; ++visited) node = 17 * node + 1 + below((const Part*)(separator + 16 * node), key);
    leaf[q] = node - nodes;
    depth[q] = (uint8_t)visited;
}

extern "C" void tree_lookup(int nodes, int queries, const uint32_t* separator, const uint32_t* query, uint32_t* leaf, uint8_t* depth) {
    const int grid = (queries - 1) / 256 + 1;
    if ((uintptr_t)separator % 16 == 0)
        descend<uint4><<<grid, 256>>>(nodes, queries, separator, query, leaf, depth);
    else
        descend<uint32_t><<<grid, 256>>>(nodes, queries, separator, query, leaf, depth);
}
