#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// nms_batched: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// The nest at line 16 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void nms_batched_1_serial(int images, int boxes, const int* corner, const int* extent,
                                     const unsigned char* label, unsigned char* keep, int* kept) {
    for (int m = 0; m < images; ++m) {
        kept[m] = 0;
        for (int i = 0; i < boxes; ++i) {
            bool good = true;
            for (int j = 0; j < i && good; ++j) {
                bool holds = keep[boxes * (long long)m + j] &&
                             label[boxes * (long long)m + j] == label[boxes * (long long)m + i];
                if (holds) {
                    bool too_close_result;
                    const int across =
                        min(corner[2 * boxes * (long long)m + 2 * j] + extent[2 * boxes * (long long)m + 2 * j],
                            corner[2 * boxes * (long long)m + 2 * i] + extent[2 * boxes * (long long)m + 2 * i]) -
                        max(corner[2 * boxes * (long long)m + 2 * j], corner[2 * boxes * (long long)m + 2 * i]);
                    const int down =
                        min(corner[2 * boxes * (long long)m + 2 * j + 1] + extent[2 * boxes * (long long)m + 2 * j + 1],
                            corner[2 * boxes * (long long)m + 2 * i + 1] +
                                extent[2 * boxes * (long long)m + 2 * i + 1]) -
                        max(corner[2 * boxes * (long long)m + 2 * j + 1], corner[2 * boxes * (long long)m + 2 * i + 1]);
                    if (across <= 0 || down <= 0) {
                        too_close_result = false;
                    } else {
                        const int common = across * down;
                        too_close_result = 5 * common > 2 * (extent[2 * boxes * (long long)m + 2 * j] *
                                                                 extent[2 * boxes * (long long)m + 2 * j + 1] +
                                                             extent[2 * boxes * (long long)m + 2 * i] *
                                                                 extent[2 * boxes * (long long)m + 2 * i + 1] -
                                                             common);
                    }
                    holds = too_close_result;
                }
                good = !holds;
            }
            keep[boxes * (long long)m + i] = good;
            kept[m] += good;
        }
    }
}

extern "C" void nms_batched(int images, int boxes, const int* corner, const int* extent, const unsigned char* label,
                            unsigned char* keep, int* kept) {
    nms_batched_1_serial<<<1, 1>>>(images, boxes, corner, extent, label, keep, kept);
}