// Potential: a node is padded to sixteen bytes, which are read by one instruction.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kLevels = 5;
constexpr float kSoft = 0.25f;

struct alignas(16) Node {
    float mass, x, y;  // and the centre of the mass, in cells
    float unused;
};

// Where a level begins among all nodes, and how many there are in all levels, for a grid of so many cells.
__host__ __device__ size_t level_start(size_t cells, int l) {
    size_t start = 0;
    for (int k = 0; k < l; ++k) start += cells >> 2 * k;
    return start;
}

__global__ void leaves(int height, int width, const float* mass, Node* nodes) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < height * width) nodes[i] = {mass[i], i % width + 0.5f, i / width + 0.5f};
}

// The node of a level above four others.
__device__ Node joined(Node a, Node b, Node c, Node d, float x, float y) {
    const float mass = a.mass + b.mass + c.mass + d.mass;
    if (mass == 0.0f) return {0.0f, x, y};
    return {mass, (a.mass * a.x + b.mass * b.x + c.mass * c.x + d.mass * d.x) / mass,
            (a.mass * a.y + b.mass * b.y + c.mass * c.y + d.mass * d.y) / mass};
}

__global__ void raise(int l, int height, int width, const Node* below, Node* nodes) {
    const int i = blockIdx.x * 256 + threadIdx.x, r = i / width, c = i % width;
    if (i >= height * width) return;
    const Node* first = below + (size_t)2 * r * 2 * width + 2 * c;
    nodes[i] = joined(first[0], first[1], first[2 * width], first[2 * width + 1], (c + 0.5f) * (1 << l), (r + 0.5f) * (1 << l));
}

__device__ float pull_of(Node node, float x, float y) {
    const float dx = node.x - x, dy = node.y - y;
    return node.mass / sqrtf(dx * dx + dy * dy + kSoft);
}

// What the nodes of one level that count for a cell add to its potential.
__device__ float level_pull(int l, int height, int width, int y, int x, const Node* nodes) {
    const int row = y >> l, col = x >> l, is_top = l == kLevels - 1;
    const int top = is_top ? row - 3 : (row & ~1) - 2, left = is_top ? col - 3 : (col & ~1) - 2, size = is_top ? 7 : 6;
    float sum = 0.0f;
    for (int r = top; r < top + size; ++r) {
        for (int c = left; c < left + size; ++c) {
            const int apart = max(abs(r - row), abs(c - col));
            if (r < 0 || r >= height >> l || c < 0 || c >= width >> l || apart == 0 || (l > 0 && apart == 1)) continue;
            sum += pull_of(nodes[(size_t)r * (width >> l) + c], x + 0.5f, y + 0.5f);
        }
    }
    return sum;
}

__global__ void pull(int height, int width, const Node* nodes, float* potential) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0.0f;
#pragma unroll
    for (int l = 0; l < kLevels; ++l)
        sum += level_pull(l, height, width, i / width, i % width, nodes + level_start((size_t)height * width, l));
    potential[i] = sum;
}

extern "C" void quad_potential(int down, int across, const float* mass, float* potential) {
    const int height = 16 * down, width = 16 * across;
    const size_t cells = (size_t)height * width;
    Node* nodes = nullptr;
    cudaMallocAsync(&nodes, sizeof(Node) * level_start(cells, kLevels), 0);
    leaves<<<down * across, 256>>>(height, width, mass, nodes);
    for (int l = 1; l < kLevels; ++l) {
        const Node* below = nodes + level_start(cells, l - 1);
        raise<<<((down * across << (8 - 2 * l)) + 255) / 256, 256>>>(l, height >> l, width >> l, below, nodes + level_start(cells, l));
    }
    pull<<<down * across, 256>>>(height, width, nodes, potential);
    cudaFreeAsync(nodes, 0);
}
