// Potential: a block builds all levels of its cells in shared memory.
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

// The node of a level above four others.
__device__ Node joined(Node a, Node b, Node c, Node d, float x, float y) {
    const float mass = a.mass + b.mass + c.mass + d.mass;
    if (mass == 0.0f) return {0.0f, x, y};
    return {mass, (a.mass * a.x + b.mass * b.x + c.mass * c.x + d.mass * d.x) / mass,
            (a.mass * a.y + b.mass * b.y + c.mass * c.y + d.mass * d.y) / mass};
}

// All levels of sixteen by sixteen cells, by a block of as many threads.
__global__ void build(int height, int width, const float* __restrict__ mass, Node* __restrict__ nodes) {
    __shared__ Node below[16][17], above[8][9];
    const int c = threadIdx.x % 16, r = threadIdx.x / 16, col = blockIdx.x * 16 + c, row = blockIdx.y * 16 + r;
    const size_t cells = (size_t)height * width;
    nodes[(size_t)row * width + col] = below[r][c] = {mass[(size_t)row * width + col], col + 0.5f, row + 0.5f};
    __syncthreads();
    for (int l = 1; l < kLevels; ++l) {
        const int side = 16 >> l, left = blockIdx.x * side, top = blockIdx.y * side;
        if (r < side && c < side) {
            above[r][c] = joined(below[2 * r][2 * c], below[2 * r][2 * c + 1], below[2 * r + 1][2 * c], below[2 * r + 1][2 * c + 1],
                                 (left + c + 0.5f) * (1 << l), (top + r + 0.5f) * (1 << l));
            nodes[level_start(cells, l) + (size_t)(top + r) * (width >> l) + left + c] = above[r][c];
        }
        __syncthreads();
        if (r < side && c < side) below[r][c] = above[r][c];
        __syncthreads();
    }
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
    build<<<dim3(across, down), 256>>>(height, width, mass, nodes);
    pull<<<down * across, 256>>>(height, width, nodes, potential);
    cudaFreeAsync(nodes, 0);
}
