// Random walks with restart, one thread per walk; begin and degree of a vertex come by one 8-byte load.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

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
    __shared__ int tiles[kThreads / 32][32][33];
    const int lane = threadIdx.x % 32;
    int(*tile)[33] = tiles[threadIdx.x / 32];
    const int w = blockIdx.x * kThreads + threadIdx.x, first_walk = w - lane;
    if (first_walk >= walks) return;  // whole warps only: the rest is needed for storing
    const unsigned int base = seed + (unsigned int)w * 0x9E3779B9u;
    const int home = root[min(w, walks - 1)];
    const int present = min(32, walks - first_walk);
    int at = home;
    for (int first = 0; first < length; first += 32) {
        const int columns = min(32, length - first);
        for (int j = 0; j < columns; ++j) {
            int i = first + j;
            if (i > 0) at = step_from(at, home, mix(base + (unsigned int)i * 0x85EBCA6Bu), rows, next);
            tile[lane][j] = at;
        }
        __syncwarp();
        for (int row = 0; row < present; ++row)
            if (lane < columns) path[(size_t)(first_walk + row) * length + first + lane] = tile[row][lane];
        __syncwarp();
    }
}

extern "C" void restart_walks(int vertices, int edges, int walks, int length, unsigned int seed, const int* row_ptr,
                              const int* next, const int* root, int* path) {
    (void)edges;
    int2* rows = nullptr;
    cudaMalloc(&rows, vertices * sizeof(int2));
    pair_rows<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, row_ptr, rows);
    walk<<<(walks - 1) / kThreads + 1, kThreads>>>(walks, length, seed, rows, next, root, path);
    cudaFree(rows);
}
