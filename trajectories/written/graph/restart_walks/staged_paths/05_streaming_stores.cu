// Random walks with restart, two walks per thread; finished rows are stored past the cached graph.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kSteps = 16;  // of a tile: a row is two sectors

__device__ unsigned int mix(unsigned int x) {
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ (x >> 16);
}

// rows[v] is the begin of v's successors and their number.
__global__ void pair_rows(int vertices, const int* row_ptr, int2* rows) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) rows[v] = {row_ptr[v], row_ptr[v + 1] - row_ptr[v]};
}

__device__ int step_from(int at, int root, unsigned int h, const int2* rows, const int* next) {
    if (h % 8 == 0) return root;
    int2 row = rows[at];
    return row.y == 0 ? root : next[row.x + (int)((h >> 3) % (unsigned int)row.y)];
}

__global__ void walk(int walks, int length, unsigned int seed, const int2* rows, const int* next, const int* root,
                     int* path) {
    __shared__ int tiles[kThreads / 32][64][kSteps + 1];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int(*tile)[kSteps + 1] = tiles[warp];
    const int first_walk = (blockIdx.x * (kThreads / 32) + warp) * 64;
    if (first_walk >= walks) return;  // whole warps only: the rest is needed for storing
    const int a = first_walk + lane, b = a + 32;
    const unsigned int base_a = seed + (unsigned int)a * 0x9E3779B9u, base_b = seed + (unsigned int)b * 0x9E3779B9u;
    const int home_a = root[min(a, walks - 1)], home_b = root[min(b, walks - 1)];
    const int present = min(64, walks - first_walk);
    int at_a = home_a, at_b = home_b;
    for (int first = 0; first < length; first += kSteps) {
        const int columns = min(kSteps, length - first);
        for (int j = 0; j < columns; ++j) {
            unsigned int draw = (unsigned int)(first + j) * 0x85EBCA6Bu;
            if (first + j > 0) {
                at_a = step_from(at_a, home_a, mix(base_a + draw), rows, next);
                at_b = step_from(at_b, home_b, mix(base_b + draw), rows, next);
            }
            tile[lane][j] = at_a;
            tile[lane + 32][j] = at_b;
        }
        __syncwarp();
        const int column = lane % kSteps;
        for (int row = lane / kSteps; row < present; row += 32 / kSteps)
            if (column < columns)
                __stcs(path + (size_t)(first_walk + row) * length + first + column, tile[row][column]);
        __syncwarp();
    }
}

extern "C" void restart_walks(int vertices, int edges, int walks, int length, unsigned int seed, const int* row_ptr,
                              const int* next, const int* root, int* path) {
    (void)edges;
    int2* rows = nullptr;
    cudaMalloc(&rows, vertices * sizeof(int2));
    pair_rows<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, row_ptr, rows);
    walk<<<(walks - 1) / (2 * kThreads) + 1, kThreads>>>(walks, length, seed, rows, next, root, path);
    cudaFree(rows);
}
