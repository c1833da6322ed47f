// Leaves of a box tree that touch a cube: one query a thread, with a stack of its own.
#include <cuda_runtime.h>

struct Node {
    float low_x, low_y, low_z, gap_x, gap_y, gap_z;
};

struct Query {
    float x, y, z, r;
};

constexpr int kThreads = 128;
constexpr int kMost = 16;  // leaves listed for a query

__device__ bool touches(const Node& n, const Query& q) {
    return q.x + q.r >= n.low_x && q.x - q.r <= 1.0f - n.gap_x && q.y + q.r >= n.low_y && q.y - q.r <= 1.0f - n.gap_y &&
           q.z + q.r >= n.low_z && q.z - q.r <= 1.0f - n.gap_z;
}

__global__ void walk(int nodes, int queries, const Node* node, const Query* query, int* touching, int* found) {
    const int at = blockIdx.x * kThreads + threadIdx.x;
    if (at >= queries) return;
    Query q = query[at];
    q.r *= 0.125f;
    int* list = touching + (size_t)at * kMost;
    int stack[32], depth = 0, count = 0;
    stack[depth++] = 0;
    while (depth > 0 && count < kMost) {
        const int i = stack[--depth];
        if (!touches(node[i], q)) continue;
        if (i > (nodes - 2) / 2 || nodes == 1) {
            list[count++] = i;
            continue;
        }
        if (i <= (nodes - 3) / 2 && nodes > 2) stack[depth++] = 2 * i + 2;
        stack[depth++] = 2 * i + 1;
    }
    found[at] = count;
    for (; count < kMost; ++count) list[count] = -1;
}

extern "C" void bvh_overlap_list(int nodes, int queries, const Node* node, const Query* query, int* touching, int* found) {
    walk<<<(queries - 1) / kThreads + 1, kThreads>>>(nodes, queries, node, query, touching, found);
}
