// Bicubic Bezier patches, one lane per column with its curve in registers; weights come from a shared table.
#include <cuda_runtime.h>

constexpr int kPatches = 8;  // per block, a warp each
constexpr int kMostSide = 64;

__device__ float4 bernstein(int step, int side) {
    const float t = (float)step / (float)(side - 1), s = 1.0f - t;
    return {s * s * s, 3.0f * t * s * s, 3.0f * t * t * s, t * t * t};
}

__global__ void evaluate(int patches, int side, const float* control, float* surface) {
    __shared__ float4 weight[kMostSide];
    const int thread = threadIdx.y * 32 + threadIdx.x;
    if (thread < side) weight[thread] = bernstein(thread, side);
    __syncthreads();
    const size_t p = (size_t)blockIdx.x * kPatches + threadIdx.y;
    if (p >= (size_t)patches) return;
    for (int j = threadIdx.x; j < side; j += 32) {
        const float4 v = weight[j];
        const float along_v[4] = {v.x, v.y, v.z, v.w};
        float curve[4][3];
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
            const float4 u = weight[i];
            float* to = surface + ((p * side + i) * side + j) * 3;
#pragma unroll
            for (int k = 0; k < 3; ++k)
                to[k] = u.x * curve[0][k] + u.y * curve[1][k] + u.z * curve[2][k] + u.w * curve[3][k];
        }
    }
}

extern "C" void bezier_patches(int patches, int side, const float* control, float* surface) {
    evaluate<<<(patches - 1) / kPatches + 1, dim3(32, kPatches)>>>(patches, side, control, surface);
}
