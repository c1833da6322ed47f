#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// seam_cost: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
//
// The nest at line 9 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void seam_cost_1_map(int width, const int* energy, int* cost, signed char* from) {
    const int x = blockIdx.x * 256 + threadIdx.x;
    if (x < width) {
        cost[x] = energy[x];
        from[x] = 0;
    }
}

__global__ void seam_cost_2_serial(int height, int width, const int* energy, int* cost, signed char* from) {
    unsigned long long row;
    for (int y = 1; y < height; ++y) {
        row = (unsigned long long)y * width;
        for (int x = 0; x < width; ++x) {
            int best = cost[row + -width + x];
            int direction = 0;
            if (x + 1 < width && cost[row + -width + (x + 1)] < best) {
                best = cost[row + -width + (x + 1)];
                direction = 1;
            }
            if (x > 0 && cost[row + -width + (x - 1)] <= best) {
                best = cost[row + -width + (x - 1)];
                direction = -1;
            }
            cost[row + x] = energy[row + x] + best;
            from[row + x] = (signed char)direction;
        }
    }
}

extern "C" void seam_cost(int height, int width, const int* energy, int* cost, signed char* from) {
    if (width >= 1) {
        seam_cost_1_map<<<(width - 1) / 256 + 1, 256>>>(width, energy, cost, from);
    }
    seam_cost_2_serial<<<1, 1>>>(height, width, energy, cost, from);
}