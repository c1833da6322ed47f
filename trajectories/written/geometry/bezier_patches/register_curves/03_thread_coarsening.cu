// Bicubic Bezier patches, one warp per patch, one lane per column with the column's curve in registers.
#include <cuda_runtime.h>

constexpr int kPatches = 8;  // per block, a warp each

__device__ void bernstein(int step, int side, float* weight) {
    const float t = (float)step / (float)(side - 1), s = 1.0f - t;
    weight[0] = s * s * s;
    weight[1] = 3.0f * t * s * s;
    weight[2] = 3.0f * t * t * s;
    weight[3] = t * t * t;
}

__global__ void evaluate(int patches, int side, const float* control, float* surface) {
    const size_t p = (size_t)blockIdx.x * kPatches + threadIdx.y;
    if (p >= (size_t)patches) return;
    for (int j = threadIdx.x; j < side; j += 32) {
        float along_v[4], curve[4][3];
        bernstein(j, side, along_v);
#pragma unroll
        for (int r = 0; r < 4; ++r) {
#pragma unroll
            for (int k = 0; k < 3; ++k) {
                curve[r][k] = 0.0f;
#pragma unroll
                for (int c = 0; c < 4; ++c) curve[r][k] += along_v[c] * control[p * 48 + (r * 4 + c) * 3 + k];
            }
        }
        for (int i = 0; i < side; ++i) {
            float along_u[4];
            bernstein(i, side, along_u);
            float* to = surface + ((p * side + i) * side + j) * 3;
#pragma unroll
            for (int k = 0; k < 3; ++k)
                to[k] = along_u[0] * curve[0][k] + along_u[1] * curve[1][k] + along_u[2] * curve[2][k] +
                        along_u[3] * curve[3][k];
        }
    }
}

extern "C" void bezier_patches(int patches, int side, const float* control, float* surface) {
    evaluate<<<(patches - 1) / kPatches + 1, dim3(32, kPatches)>>>(patches, side, control, surface);
}
