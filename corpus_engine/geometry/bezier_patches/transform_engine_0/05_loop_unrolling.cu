#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// bezier_patches: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// grid_stride_loop(blocks 1056): a fixed number of blocks strides over all points.
// block_size_tuning(block 128): another block shape.
// loop_unrolling(factor 4): innermost loops unrolled.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void bezier_patches_1_map(int patches, int side, const float* __restrict__ control,
                                     float* __restrict__ surface) {
    for (long long point_ = (long long)blockIdx.x * 128 + threadIdx.x; point_ < (long long)patches * side;
         point_ += (long long)gridDim.x * 128) {
        const int i = point_ % side;
        const long long p = point_ / side;
        float along_u[4];
        float point[3];
        float along_v[4];
        const float t = (float)i / (float)(side - 1);
        const float s = 1.0f - t;
        along_u[0] = s * s * s;
        along_u[1] = 3.0f * t * s * s;
        along_u[2] = 3.0f * t * t * s;
        along_u[3] = t * t * t;
        for (int j = 0; j < side; ++j) {
            point[0] = 0.0f;
            point[1] = 0.0f;
            point[2] = 0.0f;
            const float t_2 = (float)j / (float)(side - 1);
            const float s_2 = 1.0f - t_2;
            along_v[0] = s_2 * s_2 * s_2;
            along_v[1] = 3.0f * t_2 * s_2 * s_2;
            along_v[2] = 3.0f * t_2 * t_2 * s_2;
            along_v[3] = t_2 * t_2 * t_2;
            for (int c3 = 0; c3 <= 3; ++c3) {
                for (int c = 0; c <= 3; ++c) {
#pragma unroll 4
                    for (int k = 0; k <= 2; ++k) {
                        point[k] +=
                            along_u[c3] * along_v[c] * control[p * 48 + (unsigned long long)(c3 * 4 + c) * 3 + k];
                    }
                }
            }
#pragma unroll 4
            for (int c3 = 0; c3 <= 2; ++c3) {
                surface[((p * side + i) * side + j) * 3 + c3] = point[c3];
            }
        }
    }
}

extern "C" void bezier_patches(int patches, int side, const float* control, float* surface) {
    if (patches >= 1 && side >= 1) {
        bezier_patches_1_map<<<min(((long long)patches * side - 1) / 128 + 1, (long long)1056), 128>>>(
            patches, side, control, surface);
    }
}