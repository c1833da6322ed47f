#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// glcm_texture: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// vectorised_access(width 4) [nest 1]: neighbouring elements loaded and stored together.
// restrict_read_only [nest 1, 2]: __restrict__ pointers, read-only ones const.
// thread_coarsening(points 2) [nest 1, 2]: several points a thread.
// launch_bounds(blocks 2) [nest 1, 2]: registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__constant__ const int step_x[4] = {1, 1, 0, -1};
__constant__ const int step_y[4] = {0, 1, 1, 1};

__global__ void __launch_bounds__(256, 2) glcm_texture_1_map(unsigned int* __restrict__ pairs) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int i_first = (blockIdx.x * 512 + threadIdx.x + part * 256) * 4;
        const bool whole_groups = (size_t)pairs % 16 == 0;
        // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
        if (whole_groups && i_first <= 1020) {
            alignas(16) unsigned int pairs_lanes[4];
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                pairs_lanes[lane] = 0;
            }
            *reinterpret_cast<uint4*>(&pairs[i_first]) = *reinterpret_cast<const uint4*>(pairs_lanes);
        } else {
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                const int i = i_first + lane;
                if (i <= 1023) {
                    pairs[i] = 0;
                }
            }
        }
    }
}

__global__ void __launch_bounds__(256, 2)
    glcm_texture_2_update(int width, int height, const unsigned char* __restrict__ image,
                          const unsigned char* __restrict__ mask, unsigned int* __restrict__ pairs) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const long long point = (long long)blockIdx.x * 512 + threadIdx.x + part * 256;
        const int x = point % width;
        const int y = point / width;
        if (y < height) {
            const unsigned long long here = (unsigned long long)y * width + x;
            if (mask[here]) {
                for (int d = 0; d < 4; ++d) {
                    const int nx = x + step_x[d];
                    const int ny = y + step_y[d];
                    if (!(nx < 0 || nx >= width || ny >= height)) {
                        const unsigned long long there = (unsigned long long)ny * width + nx;
                        if (mask[there]) {
                            atomicAdd(&pairs[(d * 16 + image[here] / 16) * 16 + image[there] / 16], (unsigned int)(1));
                        }
                    }
                }
            }
        }
    }
}

extern "C" void glcm_texture(int width, int height, const unsigned char* image, const unsigned char* mask,
                             unsigned int* pairs) {
    glcm_texture_1_map<<<255 / 512 + 1, 256>>>(pairs);
    if (height >= 1 && width >= 1) {
        glcm_texture_2_update<<<((long long)height * width - 1) / 512 + 1, 256>>>(width, height, image, mask, pairs);
    }
}