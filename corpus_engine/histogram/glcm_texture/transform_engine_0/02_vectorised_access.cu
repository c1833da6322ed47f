#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// glcm_texture: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// vectorised_access(width 4) [nest 1]: neighbouring elements loaded and stored together.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__constant__ const int step_x[4] = {1, 1, 0, -1};
__constant__ const int step_y[4] = {0, 1, 1, 1};

__global__ void glcm_texture_1_map(unsigned int* pairs) {
    const int i_first = (blockIdx.x * 256 + threadIdx.x) * 4;
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

__global__ void glcm_texture_2_update(int width, int height, const unsigned char* image, const unsigned char* mask,
                                      unsigned int* pairs) {
    const long long point = (long long)blockIdx.x * 256 + threadIdx.x;
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

extern "C" void glcm_texture(int width, int height, const unsigned char* image, const unsigned char* mask,
                             unsigned int* pairs) {
    glcm_texture_1_map<<<255 / 256 + 1, 256>>>(pairs);
    if (height >= 1 && width >= 1) {
        glcm_texture_2_update<<<((long long)height * width - 1) / 256 + 1, 256>>>(width, height, image, mask, pairs);
    }
}