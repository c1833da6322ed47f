#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// seam_cost: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// streaming_stores [nest 1]: what is touched once goes past the caches.
// launch_bounds(blocks 2) [nest 1]: registers limited, so that several blocks share a multiprocessor.
// restrict_read_only [nest 1, 2]: __restrict__ pointers, read-only ones const.
// vectorised_access(width 4) [nest 1]: neighbouring elements loaded and stored together.
//
// The nest at line 9 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    seam_cost_1_map(int width, const int* __restrict__ energy, int* __restrict__ cost, signed char* __restrict__ from) {
    const int x_first = (blockIdx.x * 256 + threadIdx.x) * 4;
    const bool whole_groups = (size_t)energy % 16 == 0 && (size_t)cost % 16 == 0 && (size_t)from % 4 == 0;
    // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
    if (whole_groups && width >= x_first + 4) {
        alignas(16) int energy_lanes[4];
        *reinterpret_cast<int4*>(energy_lanes) = __ldcs(reinterpret_cast<const int4*>(&energy[x_first]));
        alignas(16) int cost_lanes[4];
        alignas(4) signed char from_lanes[4];
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            cost_lanes[lane] = energy_lanes[lane];
            from_lanes[lane] = 0;
        }
        __stcs(reinterpret_cast<int4*>(&cost[x_first]), *reinterpret_cast<const int4*>(cost_lanes));
        __stcs(reinterpret_cast<char4*>(&from[x_first]), *reinterpret_cast<const char4*>(from_lanes));
    } else {
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int x = x_first + lane;
            if (x < width) {
                __stcs(&cost[x], __ldcs(&energy[x]));
                __stcs(&from[x], 0);
            }
        }
    }
}

__global__ void seam_cost_2_serial(int height, int width, const int* __restrict__ energy, int* __restrict__ cost,
                                   signed char* __restrict__ from) {
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
        seam_cost_1_map<<<((width - 1) / 4) / 256 + 1, 256>>>(width, energy, cost, from);
    }
    seam_cost_2_serial<<<1, 1>>>(height, width, energy, cost, from);
}