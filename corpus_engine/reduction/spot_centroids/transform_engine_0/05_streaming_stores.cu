#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// spot_centroids: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// map_2d(block 32 x 8): a two-dimensional grid over two parallel loops.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// loop_unrolling(factor 4): innermost loops unrolled.
// streaming_stores: what is touched once goes past the caches.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void spot_centroids_1_grid(int frames, int rows, int cols, int w, int threshold,
                                      const unsigned short* __restrict__ image, float* __restrict__ cx,
                                      float* __restrict__ cy) {
    for (int r = blockIdx.y * 8 + threadIdx.y; r < rows; r += gridDim.y * 8) {
        const int c = blockIdx.x * 32 + threadIdx.x;
        int mass;
        int mx;
        int my;
        if (c < cols) {
            for (int f = 0; f < frames; ++f) {
                mass = 0;
                mx = 0;
                my = 0;
                for (int y = 0; y < w; ++y) {
#pragma unroll 4
                    for (int x = 0; x < w; ++x) {
                        const int v =
                            __ldcs(&image[((long long)(f * rows + r) * w + y) * cols * w + c * w + x]) - threshold;
                        if (v > 0) {
                            mass += v;
                            mx += v * x;
                            my += v * y;
                        }
                    }
                }
                const int spot = (f * rows + r) * cols + c;
                __stcs(&cx[spot], mass > 0 ? (float)mx / (float)mass : 0.5f * (w - 1));
                __stcs(&cy[spot], mass > 0 ? (float)my / (float)mass : 0.5f * (w - 1));
            }
        }
    }
}

extern "C" void spot_centroids(int frames, int rows, int cols, int w, int threshold, const unsigned short* image,
                               float* cx, float* cy) {
    if (cols >= 1 && frames >= 1 && rows >= 1) {
        spot_centroids_1_grid<<<dim3((cols - 1) / 32 + 1, min((rows - 1) / 8 + 1, 65535)), dim3(32, 8)>>>(
            frames, rows, cols, w, threshold, image, cx, cy);
    }
}