#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// viewshed: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// thread_coarsening(points 2): several points a thread.
// streaming_stores: what is touched once goes past the caches.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__device__ inline int rounded(int numerator, int denominator) {
    const int doubled = 2 * numerator + denominator;
    const int whole = doubled / (2 * denominator);
    return doubled % (2 * denominator) < 0 ? whole - 1 : whole;
}

__global__ void __launch_bounds__(256, 2)
    viewshed_1_map(int observers, int rows, int columns, int eye, const int* height, const int* ox, const int* oy,
                   unsigned char* visible) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const long long point = (long long)blockIdx.x * 512 + threadIdx.x + part * 256;
        const int x = point % columns;
        const int y = point / columns % rows;
        const int o = point / columns / rows;
        if (o < observers) {
            const int fromx = ox[o];
            const int fromy = oy[o];
            bool sees_result;
            const int nx = x - fromx;
            const int ny = y - fromy;
            const int d = max(abs(nx), abs(ny));
            const int e = height[fromy * columns + fromx] + eye;
            const int rise = height[y * columns + x] - e;
            bool returned = false;
            for (int t = 1; t < d; ++t) {
                const int between = height[(fromy + rounded(t * ny, d)) * columns + fromx + rounded(t * nx, d)];
                if ((between - e) * d > rise * t) {
                    sees_result = false;
                    returned = true;
                    break;
                }
            }
            if (!returned) {
                sees_result = true;
            }
            __stcs(&visible[(long long)columns * (long long)rows * (long long)o + (long long)columns * (long long)y +
                            (long long)x],
                   sees_result ? 1 : 0);
        }
    }
}

extern "C" void viewshed(int observers, int rows, int columns, int eye, const int* height, const int* ox, const int* oy,
                         unsigned char* visible) {
    if (columns >= 1 && observers >= 1 && rows >= 1) {
        viewshed_1_map<<<((long long)observers * rows * columns - 1) / 512 + 1, 256>>>(observers, rows, columns, eye,
                                                                                       height, ox, oy, visible);
    }
}