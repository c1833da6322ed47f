#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// spot_centroids: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void spot_centroids_1_map(int frames, int rows, int cols, int w, int threshold, const unsigned short* image,
                                     float* cx, float* cy) {
    const long long point = (long long)blockIdx.x * 256 + threadIdx.x;
    const int c = point % cols;
    const int r = point / cols % rows;
    const int f = point / cols / rows;
    int mass;
    int mx;
    int my;
    if (f < frames) {
        mass = 0;
        mx = 0;
        my = 0;
        for (int y = 0; y < w; ++y) {
            for (int x = 0; x < w; ++x) {
                const int v = image[((long long)(f * rows + r) * w + y) * cols * w + c * w + x] - threshold;
                if (v > 0) {
                    mass += v;
                    mx += v * x;
                    my += v * y;
                }
            }
        }
        const int spot = (f * rows + r) * cols + c;
        cx[spot] = mass > 0 ? (float)mx / (float)mass : 0.5f * (w - 1);
        cy[spot] = mass > 0 ? (float)my / (float)mass : 0.5f * (w - 1);
    }
}

extern "C" void spot_centroids(int frames, int rows, int cols, int w, int threshold, const unsigned short* image,
                               float* cx, float* cy) {
    if (cols >= 1 && frames >= 1 && rows >= 1) {
        spot_centroids_1_map<<<((long long)frames * rows * cols - 1) / 256 + 1, 256>>>(frames, rows, cols, w, threshold,
                                                                                       image, cx, cy);
    }
}