#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// first_zone: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// block_size_tuning(block 128): another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void first_zone_1_map(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                                 const int* zone_y, const short* dx, const short* dy, int* zone) {
    const int p = blockIdx.x * 128 + threadIdx.x;
    if (p < points) {
        zone[p] = -1;
        for (int z = 0; z < zones; ++z) {
            const unsigned long long first = (unsigned long long)z * corners;
            const int px = x[p];
            const int py = y[p];
            const int ox = zone_x[z];
            const int oy = zone_y[z];
            bool odd = false;
            long long ax = ox + dx[first + (corners - 1)];
            long long ay = oy + dy[first + (corners - 1)];
            for (int i = 0; i < corners; ++i) {
                const long long bx = ox + dx[first + i];
                const long long by = oy + dy[first + i];
                if ((ay > py) != (by > py)) {
                    const long long left = (px - ax) * (by - ay);
                    const long long right = (py - ay) * (bx - ax);
                    if ((left < right) == (by > ay)) {
                        odd = !odd;
                    }
                }
                ax = bx;
                ay = by;
            }
            const bool inside_result_2 = odd;
            if (inside_result_2) {
                zone[p] = z;
                break;
            }
        }
    }
}

extern "C" void first_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                           const int* zone_y, const short* dx, const short* dy, int* zone) {
    if (points >= 1) {
        first_zone_1_map<<<(points - 1) / 128 + 1, 128>>>(points, zones, corners, x, y, zone_x, zone_y, dx, dy, zone);
    }
}