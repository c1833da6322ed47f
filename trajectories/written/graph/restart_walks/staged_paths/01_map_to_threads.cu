// Random walks with restart, one thread per walk.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ unsigned int mix(unsigned int x) {
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ (x >> 16);
}

__device__ int step_from(int at, int root, unsigned int h, const int* row_ptr, const int* next) {
    int begin = row_ptr[at];
    unsigned int degree = (unsigned int)(row_ptr[at + 1] - begin);
    return h % 8 == 0 || degree == 0 ? root : next[begin + (int)((h >> 3) % degree)];
}

__global__ void walk(int walks, int length, unsigned int seed, const int* row_ptr, const int* next, const int* root,
                     int* path) {
    int w = blockIdx.x * kThreads + threadIdx.x;
    if (w >= walks) return;
    const unsigned int base = seed + (unsigned int)w * 0x9E3779B9u;
    const int home = root[w];
    int* own = path + (size_t)w * length;
    int at = home;
    own[0] = at;
    for (int i = 1; i < length; ++i) {
        at = step_from(at, home, mix(base + (unsigned int)i * 0x85EBCA6Bu), row_ptr, next);
        own[i] = at;
    }
}

extern "C" void restart_walks(int vertices, int edges, int walks, int length, unsigned int seed, const int* row_ptr,
                              const int* next, const int* root, int* path) {
    (void)vertices;
    (void)edges;
    walk<<<(walks - 1) / kThreads + 1, kThreads>>>(walks, length, seed, row_ptr, next, root, path);
}
