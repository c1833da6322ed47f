#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// birdseye_grid: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// streaming_stores [nest 1, 2]: what is touched once goes past the caches.
// restrict_read_only [nest 1, 2]: __restrict__ pointers, read-only ones const.
// launch_bounds(blocks 2) [nest 1, 2]: registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

struct Return {
    int x;
    int y;
    int z;
    int echo;
};

__global__ void __launch_bounds__(256, 2)
    birdseye_grid_1_map(int cells, int* __restrict__ returns, int* __restrict__ top, int* __restrict__ echo_sum) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i < ((long long)cells * cells)) {
        __stcs(&returns[i], 0);
        __stcs(&top[i], -100000);
        __stcs(&echo_sum[i], 0);
    }
}

__global__ void __launch_bounds__(256, 2)
    birdseye_grid_2_update(int points, int cells, int cell, const Return* __restrict__ scan, int* __restrict__ returns,
                           int* __restrict__ top, int* __restrict__ echo_sum) {
    const int p = blockIdx.x * 256 + threadIdx.x;
    if (p < points) {
        if (!(__ldcs(&scan[p].x) < 0 || __ldcs(&scan[p].y) < 0)) {
            const int column = __ldcs(&scan[p].x) / cell;
            const int row = __ldcs(&scan[p].y) / cell;
            if (!(column >= cells || row >= cells)) {
                const unsigned long long at = (unsigned long long)row * cells + column;
                atomicAdd(&returns[at], 1);
                atomicMax(&top[at], __ldcs(&scan[p].z));
                atomicAdd(&echo_sum[at], __ldcs(&scan[p].echo) & 255);
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