// Potential: a block brings the nodes that count for its cells to shared memory.
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

// The nodes of a level that count for sixteen by sixteen cells: their number each way, and the first of them before the block's own.
__device__ constexpr int window(int l) { return l == kLevels - 1 ? 7 : (16 >> l) + 4; }
__device__ constexpr int margin(int l) { return l == kLevels - 1 ? 3 : 2; }
__device__ constexpr int window_start(int l) { return l == 0 ? 0 : window_start(l - 1) + window(l - 1) * window(l - 1); }

// Brings the nodes of a level that count for the block's cells to shared memory; those outside have no mass.
template <int kL>
__device__ void bring(int height, int width, const Node* nodes, Node* near) {
    const Node* level = nodes + level_start((size_t)height * width, kL);
    const int left = (int)blockIdx.x * (16 >> kL) - margin(kL), top = (int)blockIdx.y * (16 >> kL) - margin(kL);
    for (int i = threadIdx.x; i < window(kL) * window(kL); i += 256) {
        const int r = top + i / window(kL), c = left + i % window(kL);
        Node node = {};
        if (r >= 0 && r < height >> kL && c >= 0 && c < width >> kL) node = level[(size_t)r * (width >> kL) + c];
        near[window_start(kL) + i] = node;
    }
}

// What those of one level add to the potential of the cell in column h, row v of the block.
template <int kL>
__device__ float level_pull(int v, int h, float x, float y, const Node* near) {
    constexpr bool kTop = kL == kLevels - 1;
    constexpr int kSize = kTop ? 7 : 6, kWide = window(kL);
    // Row and column of the first node that counts, in the window, and of the cell's own from there.
    const int first_row = kTop ? 0 : v >> kL & ~1, first_col = kTop ? 0 : h >> kL & ~1;
    const int row = (v >> kL) + margin(kL) - first_row, col = (h >> kL) + margin(kL) - first_col;
    const Node* square = near + window_start(kL) + first_row * kWide + first_col;
    float sum = 0.0f;
    for (int r = 0; r < kSize; ++r) {
        for (int c = 0; c < kSize; ++c) {
            const int apart = max(abs(r - row), abs(c - col));
            if (apart == 0 || (kL > 0 && apart == 1)) continue;
            sum += pull_of(square[r * kWide + c], x, y);
        }
    }
    return sum;
}

__global__ void pull(int height, int width, const Node* __restrict__ nodes, float* __restrict__ potential) {
    constexpr int kNear = window_start(kLevels);
    __shared__ Node near[kNear];
    bring<0>(height, width, nodes, near);
    bring<1>(height, width, nodes, near);
    bring<2>(height, width, nodes, near);
    bring<3>(height, width, nodes, near);
    bring<4>(height, width, nodes, near);
    __syncthreads();
    const int h = threadIdx.x % 16, v = threadIdx.x / 16;
    const float x = blockIdx.x * 16 + h + 0.5f, y = blockIdx.y * 16 + v + 0.5f;
    float sum = level_pull<0>(v, h, x, y, near) + level_pull<1>(v, h, x, y, near) + level_pull<2>(v, h, x, y, near);
    sum += level_pull<3>(v, h, x, y, near) + level_pull<4>(v, h, x, y, near);
    potential[(size_t)(blockIdx.y * 16 + v) * width + blockIdx.x * 16 + h] = sum;
}

extern "C" void quad_potential(int down, int across, const float* mass, float* potential) {
    const int height = 16 * down, width = 16 * across;
    const size_t cells = (size_t)height * width;
    Node* nodes = nullptr;
    cudaMallocAsync(&nodes, sizeof(Node) * level_start(cells, kLevels), 0);
    build<<<dim3(across, down), 256>>>(height, width, mass, nodes);
    pull<<<dim3(across, down), 256>>>(height, width, nodes, potential);
    cudaFreeAsync(nodes, 0);
}
