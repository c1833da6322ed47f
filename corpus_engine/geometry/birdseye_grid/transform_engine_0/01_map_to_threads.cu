#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// birdseye_grid: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

struct Return {
    int x;
    int y;
    int z;
    int echo;
};

__global__ void birdseye_grid_1_map(int cells, int* returns, int* top, int* echo_sum) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i < ((long long)cells * cells)) {
        returns[i] = 0;
        top[i] = -100000;
        echo_sum[i] = 0;
    }
}

__global__ void birdseye_grid_2_update(int points, int cells, int cell, const Return* scan, int* returns, int* top,
                                       int* echo_sum) {
    const int p = blockIdx.x * 256 + threadIdx.x;
    if (p < points) {
        if (!(scan[p].x < 0 || scan[p].y < 0)) {
            const int column = scan[p].x / cell;
            const int row = scan[p].y / cell;
            if (!(column >= cells || row >= cells)) {
                const unsigned long long at = (unsigned long long)row * cells + column;
                atomicAdd(&returns[at], 1);
                atomicMax(&top[at], scan[p].z);
                atomicAdd(&echo_sum[at], scan[p].echo & 255);
            }
        }
    }
}

extern "C" void birdseye_grid(int points, int cells, int cell, const Return* scan, int* returns, int* top,
                              int* echo_sum) {
    if (((long long)cells * cells) >= 1) {
        birdseye_grid_1_map<<<(((long long)cells * cells) - 1) / 256 + 1, 256>>>(cells, returns, top, echo_sum);
    }
    if (points >= 1) {
        birdseye_grid_2_update<<<(points - 1) / 256 + 1, 256>>>(points, cells, cell, scan, returns, top, echo_sum);
    }
}