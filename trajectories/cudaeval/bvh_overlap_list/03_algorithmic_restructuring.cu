// Leaves of a box tree that touch a cube: no stack; where the walk goes on follows from the number of the node.
#include <cuda_runtime.h>

struct Node {
    float low_x, low_y, low_z, gap_x, gap_y, gap_z;
};

struct Query {
    float x, y, z, r;
};

constexpr int kThreads = 128;
constexpr int kMost = 16;  // leaves listed for a query

// Box i becomes the pair box[2 i] (lows), box[2 i + 1] (highs).
__global__ void pack(int nodes, const Node* node, float4* box) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= nodes) return;
    const Node n = node[i];
    box[2 * i] = make_float4(n.low_x, n.low_y, n.low_z, 0.0f);
    box[2 * i + 1] = make_float4(1.0f - n.gap_x, 1.0f - n.gap_y, 1.0f - n.gap_z, 0.0f);
}

struct Cube {
    float3 low, high;
};

__device__ Cube cube_of(const Query& q) {
    const float r = q.r * 0.125f;
    return {make_float3(q.x - r, q.y - r, q.z - r), make_float3(q.x + r, q.y + r, q.z + r)};
}

__device__ bool touches(float4 low, float4 high, const Cube& c) {
    return c.high.x >= low.x && c.low.x <= high.x && c.high.y >= low.y && c.low.y <= high.y && c.high.z >= low.z && c.low.z <= high.z;
}

// Counted from 1, the children of j are 2 j and 2 j + 1. Past j the walk goes on at the right sibling of the nearest ancestor that is a
// left child: j + 1 without its trailing zeros. The root, 1, means the end.
__device__ unsigned int past(unsigned int j, unsigned int nodes) {
    if (j == nodes && j % 2 == 0) j /= 2;  // the last node has no sibling
    ++j;
    return j >> (__ffs(j) - 1);
}

__global__ void walk(int nodes, int queries, const float4* __restrict__ box, const Query* __restrict__ query, int* __restrict__ touching,
                     int* __restrict__ found) {
    const int at = blockIdx.x * kThreads + threadIdx.x;
    if (at >= queries) return;
    const Cube c = cube_of(query[at]);
    int* list = touching + (size_t)at * kMost;
    int count = 0;
    unsigned int j = 1;
    do {
        if (!touches(box[2 * j - 2], box[2 * j - 1], c)) {
            j = past(j, nodes);
        } else if (2 * j <= (unsigned int)nodes) {
            j *= 2;
        } else {
            list[count++] = j - 1;
            j = past(j, nodes);
        }
    } while (j != 1 && count < kMost);
    found[at] = count;
    for (; count < kMost; ++count) list[count] = -1;
}

extern "C" void bvh_overlap_list(int nodes, int queries, const Node* node, const Query* query, int* touching, int* found) {
    float4* box = nullptr;
    cudaMalloc(&box, (size_t)nodes * 2 * sizeof(float4));
    pack<<<(nodes - 1) / kThreads + 1, kThreads>>>(nodes, node, box);
    walk<<<(queries - 1) / kThreads + 1, kThreads>>>(nodes, queries, box, query, touching, found);
    cudaFree(box);
}
