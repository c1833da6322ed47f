#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// restart_walks: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// grid_stride_loop(blocks 1056): a fixed number of blocks strides over all points.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__device__ inline unsigned int mix(unsigned int x) {
    unsigned int x_now = x;
    x_now = x_now ^ x_now >> 16;
    x_now *= 0x7FEB352Du;
    x_now = x_now ^ x_now >> 15;
    x_now *= 0x846CA68Bu;
    return x_now ^ x_now >> 16;
}

__global__ void restart_walks_1_map(int walks, int length, long long seed, const int* row_ptr, const int* next,
                                    const int* root, int* path) {
    for (long long point = (long long)blockIdx.x * 256 + threadIdx.x; point < walks;
         point += (long long)gridDim.x * 256) {
        const long long w = point;
        int at;
        at = root[w];
        path[w * length] = at;
        for (int i = 1; i < length; ++i) {
            const unsigned int h =
                mix((unsigned int)seed + (unsigned int)w * 0x9E3779B9u + (unsigned int)i * 0x85EBCA6Bu);
            const unsigned int degree = (unsigned int)(row_ptr[at + 1] - row_ptr[at]);
            at = h % 8 == 0 || degree == 0 ? root[w] : next[row_ptr[at] + (int)((h >> 3) % degree)];
            path[w * length + i] = at;
        }
    }
}

extern "C" void restart_walks(int vertices, int edges, int walks, int length, unsigned int seed_given,
                              const int* row_ptr, const int* next, const int* root, int* path) {
    const long long seed = seed_given;
    (void)vertices;
    (void)edges;
    if (walks >= 1) {
        restart_walks_1_map<<<min((walks - 1) / 256 + 1, (long long)1056), 256>>>(walks, length, seed, row_ptr, next,
                                                                                  root, path);
    }
}